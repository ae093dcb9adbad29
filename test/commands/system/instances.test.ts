import { describe, it } from 'vitest';
import { recordLoss, startInstance, stopInstance } from '../../../src/commands/system/instances.ts';
import { instanceLost, instanceStarted, instanceStopped } from '../../../src/events/system.ts';
import { given } from '../../support/given.ts';

const instanceId = 'one';
const start = { instanceId, version: '1.2.3', pid: 4711 };
const started = { type: instanceStarted.type, data: start };
const stopped = { type: instanceStopped.type, data: { instanceId } };
const lost = { type: instanceLost.type, data: { instanceId } };

describe('an instance', () => {
  it('starts once', () => {
    given(startInstance).when(start).gives(started);
    given(startInstance, started).when(start).givesNothing();
    given(startInstance, started, stopped).when(start).givesNothing();
    given(startInstance, started, lost).when(start).givesNothing();
  });

  it('stops once, when it runs', () => {
    given(stopInstance, started).when({ instanceId }).gives(stopped);
    given(stopInstance).when({ instanceId }).givesNothing();
    given(stopInstance, started, stopped).when({ instanceId }).givesNothing();
  });

  it('is lost once, when it did not say that it stopped', () => {
    given(recordLoss, started).when({ instanceId }).gives(lost);
    given(recordLoss).when({ instanceId }).givesNothing();
    given(recordLoss, started, lost).when({ instanceId }).givesNothing();
    given(recordLoss, started, stopped).when({ instanceId }).givesNothing();
    given(stopInstance, started, lost).when({ instanceId }).givesNothing();
  });
});
