import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { instanceLost, instanceStarted, instanceStopped } from '../../../src/events/system.ts';
import { instances, runningInstances } from '../../../src/projections/system/instances.ts';
import { NOW } from '../../support/given.ts';
import { viewAfter } from '../../support/viewAfter.ts';

const started = (instanceId: string) => ({
  type: instanceStarted.type,
  data: { instanceId, version: '1.2.3', pid: 4711 },
});
const stopped = (instanceId: string) => ({ type: instanceStopped.type, data: { instanceId } });
const lost = (instanceId: string) => ({ type: instanceLost.type, data: { instanceId } });

describe('the running instances', () => {
  it('are those that started and have not been seen to end', async () => {
    const view = await viewAfter(
      instances,
      started('one'),
      started('two'),
      started('three'),
      stopped('one'),
      lost('three'),
    );
    assert.deepEqual(runningInstances(view), [
      { instanceId: 'two', version: '1.2.3', startedAt: NOW + 1_000 },
    ]);
  });

  it('are none on a new log', async () => {
    assert.deepEqual(runningInstances(await viewAfter(instances)), []);
  });
});
