import { describe, it } from 'vitest';
import { recordBenchmark, recordModels } from '../../../src/commands/models/models.ts';
import { modelBenchmarked, modelDownloaded, modelFound, modelRemoved } from '../../../src/events/models.ts';
import { given } from '../../support/given.ts';

const models = (...here: readonly string[]) =>
  ['one', 'two'].map((id) => ({ id, isHere: here.includes(id) }));
const data = { modelId: 'one' };
const downloaded = { type: modelDownloaded.type, data };
const removed = { type: modelRemoved.type, data };

describe('models', () => {
  it('come by a download, or are found to be there', () => {
    given(recordModels)
      .when({ models: models('one'), isDownloaded: true })
      .gives(downloaded);
    given(recordModels)
      .when({ models: models('one'), isDownloaded: false })
      .gives({ type: modelFound.type, data });
    given(recordModels, downloaded)
      .when({ models: models('one'), isDownloaded: false })
      .givesNothing();
  });

  it('go, and others that nobody asked about stay', () => {
    given(recordModels, downloaded).when({ models: models(), isDownloaded: false }).gives(removed);
    given(recordModels, downloaded, removed).when({ models: models(), isDownloaded: false }).givesNothing();
    given(recordModels, downloaded).when({ models: [], isDownloaded: false }).givesNothing();
  });

  it('are measured as often as somebody likes', () => {
    const measured = { modelId: 'one', realTimeFactor: 0.5, peakMb: 40 };
    const event = { type: modelBenchmarked.type, data: measured };
    given(recordBenchmark, event).when(measured).gives(event);
  });
});
