import { modelsStream } from '../../events/models.ts';
import { modelsState } from '../../folds/models/models.ts';
import { foldedUntil } from '../../folds/streamFold.ts';
import type { EventReader } from '../../store/port.ts';

/** What the log knows of models, by their ids: now, or as it was at a moment. */
export async function modelsKnown(store: EventReader, time?: number) {
  const past = time === undefined ? {} : { time };
  const { here, benchmarks } = await foldedUntil(store, modelsState, modelsStream(), past);
  return {
    here: new Set(here),
    benchmarks: new Map(benchmarks.map(({ modelId, ...benchmark }) => [modelId, benchmark])),
  };
}
