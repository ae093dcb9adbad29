import type { EventOf } from '../../events/definition.ts';
import {
  type ModelEvent,
  modelBenchmarked,
  modelDownloaded,
  modelFound,
  modelRemoved,
  modelsStream,
} from '../../events/models.ts';
import { modelsState } from '../../folds/models/models.ts';
import { defineCommand } from '../command.ts';

interface ModelsHere {
  /** All models that can come and go, by whether they are here. */
  readonly models: readonly { readonly id: string; readonly isHere: boolean }[];
  /** Whether hark has just downloaded those that are new. */
  readonly isDownloaded: boolean;
}

/** Which models are here now: the log is told of those that came and went. */
export const recordModels = defineCommand({
  name: 'models.record',
  state: modelsState,
  scope: 'system',
  stream: modelsStream,
  decide({ here }, { models, isDownloaded }: ModelsHere): ModelEvent[] {
    const came = isDownloaded ? modelDownloaded : modelFound;
    return models
      .filter(({ id, isHere }) => isHere !== here.includes(id))
      .map(({ id, isHere }) => ({ type: isHere ? came.type : modelRemoved.type, data: { modelId: id } }));
  },
});

/** Each measurement is a fact. */
export const recordBenchmark = defineCommand({
  name: 'models.recordBenchmark',
  state: modelsState,
  scope: 'system',
  stream: modelsStream,
  decide: (_state, data: EventOf<typeof modelBenchmarked>['data']): ModelEvent[] => [
    { type: modelBenchmarked.type, data },
  ],
});
