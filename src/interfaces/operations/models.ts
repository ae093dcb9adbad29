import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import {
  type AnyOperation,
  defineOperation,
  defineStream,
  id,
  moment,
  type StreamMessage,
} from '../operation.ts';
import {
  benchmark,
  type DownloadProgress,
  entry,
  entryOf,
  type Model,
  type ModelBenchmark,
  message,
  shown,
  status,
  statusOf,
} from './modelShapes.ts';

const area = 'models';
/** Told at most ten times a second. */
const PACE_MS = 100;

type End = { readonly ok: true } | { readonly ok: false; readonly why: string; readonly isPassing: boolean };

interface Library {
  list(): readonly Model[];
  find(id: string): Model | undefined;
  download(id: string, onProgress: (progress: DownloadProgress) => void): Promise<End>;
  remove(id: string): Promise<void>;
  clear(): Promise<readonly string[]>;
}

interface ModelDependencies {
  readonly library: () => Promise<Library>;
  /** Undefined for what nothing here measures. */
  readonly measure: (model: Model) => Promise<ModelBenchmark | undefined>;
  /** What the log knows of them; undefined while there is none. */
  readonly known: () => Promise<Known | undefined>;
  readonly knownAt: (time: number) => Promise<Known>;
}

interface Known {
  /** By their ids. */
  readonly here: ReadonlySet<string>;
  readonly benchmarks: ReadonlyMap<string, ModelBenchmark & { readonly at: number }>;
}

export function modelOperations({
  library,
  measure,
  known,
  knownAt,
}: ModelDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'models.list',
      area,
      device: 'never',
      summary: 'The models that can be had for speech and for the upkeep of memory, and which are here',
      description:
        'With `at`, those that were here then, as far as the log knows: what came by hand, or before the log held it, ' +
        'counts from when it was found.',
      rest: { method: 'GET', path: '/api/models' },
      input: () => z.object({ at: moment() }),
      output: () =>
        z.object({
          models: z.array(entry()).readonly(),
          downloadedCount: z.int(),
          totalCount: z.int(),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run({ at }) {
        const all = (await library()).list();
        const then = at === undefined ? undefined : await knownAt(at);
        const { benchmarks } = then ?? (await known()) ?? {};
        const models = all.map((model) => ({
          ...entryOf(then ? asItWas(model, then) : model),
          ...shownBenchmark(benchmarks?.get(model.id)),
        }));
        const downloadedCount = models.filter(({ downloaded }) => downloaded).length;
        return { models, downloadedCount, totalCount: models.length };
      },
    }),
    defineStream({
      name: 'models.download',
      area,
      device: 'never',
      summary: 'Downloads a model, and streams the progress',
      description:
        'Ends with `complete`, or with `error`. It goes on when nobody listens any more, and is one for all who ask for it ' +
        'at once; DELETE ends it. What came of an earlier one is not asked for again. A model counts once its checksum was ' +
        'found right; where none is publicly known (`sha256` null), it comes only with `confirm: true`.',
      rest: { method: 'POST', path: '/api/models/download', isPowerful: true },
      input: () =>
        z.object({
          modelId: z.string().max(200),
          confirm: z.boolean().optional().describe('Also without a checksum'),
        }),
      message,
      errors: ['BAD_REQUEST', 'CHECKSUM_UNKNOWN'],
      example: { input: { modelId: 'flite' } },
      async run({ modelId, confirm = false }) {
        const models = await library();
        const model = models.find(modelId);
        if (!model) throw new HarkError('BAD_REQUEST', { message: 'Unknown model id' });
        if (!model.isPinned && !confirm && !model.downloaded) throw new HarkError('CHECKSUM_UNKNOWN');
        return messagesOf(modelId, models);
      },
    }),
    defineOperation({
      name: 'models.status',
      area,
      device: 'never',
      summary: 'Whether a model is here or on its way',
      rest: { method: 'GET', path: '/api/models/:modelId/status' },
      input: () => z.object({ modelId: id() }),
      output: status,
      errors: ['MODEL_UNKNOWN'],
      example: { input: { modelId: 'flite' } },
      async run({ modelId }) {
        return statusOf(knownIn(await library(), modelId));
      },
    }),
    defineOperation({
      name: 'models.remove',
      area,
      device: 'never',
      summary: 'Deletes a model, or ends its download; what uses it lets it go first',
      rest: { method: 'DELETE', path: '/api/models/:modelId', isPowerful: true },
      input: () => z.object({ modelId: id() }),
      output: () => z.object({ success: z.literal(true), modelId: z.string() }),
      errors: ['MODEL_UNKNOWN', 'MODEL_NOT_DOWNLOADED', 'BUILT_IN'],
      example: { input: { modelId: 'example' } },
      async run({ modelId }) {
        const models = await library();
        const { builtIn, downloaded, downloading } = knownIn(models, modelId);
        if (builtIn) throw new HarkError('BUILT_IN');
        // What came of a download that broke off goes, too.
        await models.remove(modelId);
        if (!downloaded && !downloading) throw new HarkError('MODEL_NOT_DOWNLOADED');
        return { success: true as const, modelId };
      },
    }),
    defineOperation({
      name: 'models.clear',
      area,
      device: 'never',
      summary: 'Deletes all models, and ends all downloads; what comes with hark stays',
      rest: { method: 'POST', path: '/api/models/clear-all', isPowerful: true },
      input: () => z.object({}),
      output: () =>
        z.object({ success: z.literal(true), removed: z.array(z.string()).readonly(), count: z.int() }),
      errors: [],
      example: { input: {} },
      async run() {
        const removed = await (await library()).clear();
        return { success: true as const, removed, count: removed.length };
      },
    }),
    defineOperation({
      name: 'models.benchmark',
      area,
      device: 'never',
      summary: 'How fast a model is on this machine, how much memory it takes, and how often it errs',
      description:
        'On sentences that Flite speaks at the time, one model after the other. The first sentence does not count, since ' +
        'the model is loaded with it. Models that hear, speak or wait for words can be measured, and those that tell voices ' +
        'from silence. Others are NOT_MEASURABLE: they read text.',
      rest: { method: 'POST', path: '/api/models/:modelId/benchmark', isPowerful: true },
      input: () => z.object({ modelId: id() }),
      output: benchmark,
      errors: [
        'MODEL_UNKNOWN',
        'MODEL_NOT_DOWNLOADED',
        'NOT_MEASURABLE',
        'TOO_MANY_REQUESTS',
        'STT_UNAVAILABLE',
        'TTS_UNAVAILABLE',
      ],
      example: { input: { modelId: 'flite' } },
      async run({ modelId }) {
        const model = knownIn(await library(), modelId);
        if (!model.downloaded) throw new HarkError('MODEL_NOT_DOWNLOADED');
        const measured = await measure(model);
        if (!measured) throw new HarkError('NOT_MEASURABLE');
        return measured;
      },
    }),
  ];
}

function knownIn(library: Library, modelId: string): Model {
  const model = library.find(modelId);
  if (!model) throw new HarkError('MODEL_UNKNOWN');
  return model;
}

function asItWas(model: Model, { here }: Known): Model {
  return { ...model, downloaded: model.builtIn || here.has(model.id), downloading: false };
}

function shownBenchmark(benchmark: (ModelBenchmark & { readonly at: number }) | undefined) {
  return benchmark ? { benchmark } : {};
}

async function* messagesOf(modelId: string, library: Library): AsyncGenerator<readonly StreamMessage[]> {
  const startedAt = performance.now();
  let latest: DownloadProgress | undefined;
  let told: DownloadProgress | undefined;
  let wake = Promise.withResolvers<void>();
  const ending = library.download(modelId, (progress) => {
    latest = progress;
    wake.resolve();
  });
  for (let end: End | undefined; !end; ) {
    end = await Promise.race([ending, wake.promise.then(() => undefined)]);
    wake = Promise.withResolvers<void>();
    if (latest && latest !== told) {
      told = latest;
      yield [say({ type: 'progress', modelId, ...shown(latest), phase: latest.phase })];
    }
    if (end?.ok)
      yield [say({ type: 'complete', modelId, durationMs: Math.round(performance.now() - startedAt) })];
    else if (end) yield [say({ type: 'error', modelId, error: end.why, retryable: end.isPassing })];
    else await Promise.race([ending, pause(PACE_MS)]);
  }
}

function say(data: z.output<ReturnType<typeof message>>): StreamMessage {
  return { event: data.type, data };
}
