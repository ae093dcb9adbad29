import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { defineEvent, type EventOf, readerOf } from './definition.ts';

const modelId = lazily(() => z.string());

/** How fast a model is on this machine; see `POST /api/models/:modelId/benchmark`. */
const benchmarkFigures = lazily(() =>
  z.object({
    realTimeFactor: z.number(),
    firstAudioMs: z.number().exactOptional(),
    peakMb: z.number(),
    wordErrorRate: z.number().exactOptional(),
  }),
);

export const modelDownloaded = defineEvent('models.model.downloaded', {
  data: () => z.object({ modelId: modelId() }),
});

/** It was here, and the log did not know of it: it came by hand, or with an older hark. */
export const modelFound = defineEvent('models.model.found', {
  data: () => z.object({ modelId: modelId() }),
});

/** Deleted by hark, or found to be gone. */
export const modelRemoved = defineEvent('models.model.removed', {
  data: () => z.object({ modelId: modelId() }),
});

export const modelBenchmarked = defineEvent('models.model.benchmarked', {
  data: () => benchmarkFigures().extend({ modelId: modelId() }),
});

export const modelEvents = [modelDownloaded, modelFound, modelRemoved, modelBenchmarked] as const;

export type ModelEvent = EventOf<(typeof modelEvents)[number]>;

export const readModelEvent = readerOf(modelEvents);

export function modelsStream(): string {
  return 'models';
}
