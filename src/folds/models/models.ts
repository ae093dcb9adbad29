import type { EventOf, PastEvent } from '../../events/definition.ts';
import { type modelBenchmarked, readModelEvent } from '../../events/models.ts';
import type { StreamFold } from '../streamFold.ts';

type KnownBenchmark = EventOf<typeof modelBenchmarked>['data'] & { readonly at: number };

interface KnownModels {
  /** The ids of those that came here and did not go. What comes with hark is not among them. */
  readonly here: readonly string[];
  /** The newest of each model. */
  readonly benchmarks: readonly KnownBenchmark[];
}

export const modelsState: StreamFold<KnownModels> = {
  name: 'models',
  version: 1,
  initial: { here: [], benchmarks: [] },
  evolve(state, past: PastEvent) {
    const event = readModelEvent(past);
    if (!event) return state;
    const { modelId } = event.data;
    if (event.type === 'models.model.benchmarked') {
      const others = state.benchmarks.filter((one) => one.modelId !== modelId);
      return { ...state, benchmarks: [...others, { ...event.data, at: past.at }] };
    }
    const others = state.here.filter((one) => one !== modelId);
    return { ...state, here: event.type === 'models.model.removed' ? others : [...others, modelId] };
  },
};
