import { z } from 'zod';
import { lazily } from '../../lazily.ts';

const types = lazily(() => z.enum(['stt', 'tts', 'vad', 'wake', 'embedding', 'nli']));
export const benchmark = lazily(() =>
  z.object({
    realTimeFactor: z.number().describe('Of the time that speech takes: below 1 is faster'),
    firstAudioMs: z.number().optional().describe('From a sentence to its first audible sample'),
    peakMb: z.number().describe('Memory of the process that it works in'),
    wordErrorRate: z.number().optional().describe('0 to 1, on English'),
  }),
);

export const entry = lazily(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    type: types(),
    family: z.string(),
    sizeBytes: z.int().describe('Of the download'),
    sizeMb: z.number(),
    downloaded: z.boolean(),
    downloading: z.boolean(),
    format: z.string().describe('tar.bz2, onnx …'),
    licence: z.string(),
    languages: z.array(z.string()).readonly().describe('As in BCP 47; * for any'),
    sha256: z.string().nullable().describe('Of the largest file; null where no sum is publicly known'),
    builtIn: z.boolean().describe('Comes with hark, and cannot be deleted'),
    homepage: z.string(),
    benchmark: benchmark()
      .extend({ at: z.int() })
      .exactOptional()
      .describe('How it was last measured on this machine, and when'),
  }),
);
export const status = lazily(() =>
  entry()
    .pick({ name: true, type: true, downloaded: true, downloading: true, sizeBytes: true, sizeMb: true })
    .extend({
      modelId: z.string(),
      path: z.string().describe('Below the data directory; empty for what comes with hark'),
      progress: z.object({ downloaded: z.int(), total: z.int(), percent: z.number() }).optional(),
    }),
);
export const message = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('progress'),
      modelId: z.string(),
      downloaded: z.int(),
      total: z.int(),
      percent: z.number(),
      phase: z.enum(['downloading', 'checking', 'unpacking']),
    }),
    z.object({ type: z.literal('complete'), modelId: z.string(), durationMs: z.number() }),
    z.object({ type: z.literal('error'), modelId: z.string(), error: z.string(), retryable: z.boolean() }),
  ]),
);

export interface Model extends Omit<z.output<ReturnType<typeof entry>>, 'sizeMb' | 'benchmark'> {
  readonly path: string;
  readonly isPinned: boolean;
  readonly progress: DownloadProgress | undefined;
}

export interface DownloadProgress {
  readonly phase: 'downloading' | 'checking' | 'unpacking';
  readonly received: number;
  readonly total: number;
}

export type ModelBenchmark = z.output<ReturnType<typeof benchmark>>;

export function entryOf({
  path: _path,
  isPinned: _isPinned,
  progress: _progress,
  ...model
}: Model): z.output<ReturnType<typeof entry>> {
  return { ...model, sizeMb: megabytes(model.sizeBytes) };
}

export function statusOf({
  id: modelId,
  sizeBytes,
  progress,
  ...model
}: Model): z.output<ReturnType<typeof status>> {
  const { name, type, downloaded, downloading, path } = model;
  return {
    ...{ modelId, name, type, downloaded, downloading, sizeBytes, sizeMb: megabytes(sizeBytes), path },
    ...(progress ? { progress: shown(progress) } : {}),
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 100_000) / 10;
}

/** How far a download is. */
export function shown({ received, total }: DownloadProgress): {
  downloaded: number;
  total: number;
  percent: number;
} {
  const percent = total > 0 ? Math.min(100, Math.floor((1_000 * received) / total) / 10) : 0;
  return { downloaded: received, total, percent };
}
