import { z } from 'zod';
import { isHarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { type AnyOperation, defineOperation, defineStream, type StreamMessage } from '../operation.ts';

const area = 'runner';
const nothing = lazily(() => z.object({}));

const model = lazily(() =>
  z.object({
    name: z.string(),
    model: z.string(),
    size: z.number(),
    digest: z.string(),
    family: z.string(),
    parameterSize: z.string(),
    quantization: z.string(),
  }),
);

const status = lazily(() =>
  z.object({
    installed: z.boolean(),
    running: z.boolean(),
    version: z.string().optional(),
    models: z
      .array(model().pick({ name: true, size: true, digest: true }))
      .readonly()
      .optional(),
    hint: z.string(),
  }),
);

const pullMessage = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('progress'),
      modelId: z.string(),
      status: z.string(),
      digest: z.string().optional(),
      total: z.number().optional(),
      completed: z.number().optional(),
      percent: z.number(),
    }),
    z.object({ type: z.literal('complete'), modelId: z.string(), durationMs: z.number() }),
    z.object({ type: z.literal('error'), modelId: z.string(), error: z.string(), retryable: z.boolean() }),
  ]),
);
type PullMessage = z.output<ReturnType<typeof pullMessage>>;

interface Progress {
  readonly status: string;
  readonly digest?: string | undefined;
  readonly total?: number | undefined;
  readonly completed?: number | undefined;
  readonly error?: string | undefined;
}

interface Runner {
  status(): Promise<z.output<ReturnType<typeof status>>>;
  models(): Promise<readonly z.output<ReturnType<typeof model>>[]>;
  pull(model: string, signal: AbortSignal): Promise<AsyncIterable<Progress>>;
  start(): Promise<void>;
}

interface RunnerDependencies {
  readonly runner: Runner;
  /** A model more: the catalog is another. */
  readonly onPulled: () => void;
}

export function runnerOperations({ runner, onPulled }: RunnerDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'runner.status',
      area,
      device: 'never',
      summary: 'Whether the local model runner is installed and running, and what to do if not',
      rest: { method: 'GET', path: '/api/runner/status' },
      input: nothing,
      output: status,
      errors: [],
      example: { input: {} },
      run: () => runner.status(),
    }),
    defineOperation({
      name: 'runner.models',
      area,
      device: 'never',
      summary: 'The models of the local runner',
      rest: { method: 'GET', path: '/api/runner/models' },
      input: nothing,
      output: () => z.object({ models: z.array(model()).readonly(), count: z.int() }),
      errors: ['RUNNER_UNAVAILABLE'],
      example: { input: {} },
      async run() {
        const models = await runner.models();
        return { models, count: models.length };
      },
    }),
    defineStream({
      name: 'runner.pull',
      area,
      device: 'never',
      summary: 'Downloads a model to the local runner, and streams the progress',
      description:
        'Ends with `complete`, or with `error`. Disconnecting stops the download; another request resumes it.',
      rest: { method: 'POST', path: '/api/runner/pull', isPowerful: true },
      input: () => z.object({ model: z.string().regex(/^[\w./:-]{1,200}$/, 'Not the name of a model') }),
      message: pullMessage,
      errors: ['RUNNER_UNAVAILABLE'],
      example: { input: { model: 'nomic-embed-text' } },
      async run({ model: modelId }, { signal }) {
        return messagesOf(modelId, await runner.pull(modelId, signal), onPulled);
      },
    }),
    defineOperation({
      name: 'runner.start',
      area,
      device: 'never',
      summary: 'Starts the local runner where it is installed; does nothing when it runs',
      rest: { method: 'POST', path: '/api/runner/start', isPowerful: true },
      input: nothing,
      output: () => z.object({ started: z.literal(true) }),
      errors: ['RUNNER_NOT_STARTED'],
      example: { input: {} },
      async run() {
        await runner.start();
        return { started: true as const };
      },
    }),
  ];
}

async function* messagesOf(
  modelId: string,
  progress: AsyncIterable<Progress>,
  onPulled: () => void,
): AsyncGenerator<readonly StreamMessage[]> {
  const startedAt = performance.now();
  let last: Progress = { status: '' };
  try {
    for await (const step of progress) {
      last = step;
      if (step.error !== undefined) break;
      const { status: text, digest, total, completed } = step;
      const percent = percentOf(step);
      yield [message({ type: 'progress', modelId, status: text, digest, total, completed, percent })];
    }
  } catch (error) {
    last = { status: '', error: isHarkError(error) ? error.message : 'The download broke off' };
  }
  if (last.status === 'success') {
    onPulled();
    yield [message({ type: 'complete', modelId, durationMs: Math.round(performance.now() - startedAt) })];
  } else yield [message({ type: 'error', modelId, ...problemOf(last) })];
}

function message(data: PullMessage): StreamMessage {
  return { event: data.type, data };
}

/** The runner's own words may hold paths of its machine, so only their meaning is passed on. */
function problemOf({ error = '' }: Progress): { error: string; retryable: boolean } {
  return /manifest|not exist|not found|invalid model/i.test(error)
    ? { error: 'The runner knows no such model', retryable: false }
    : { error: 'The download broke off', retryable: true };
}

function percentOf({ status: text, total, completed = 0 }: Progress): number {
  if (text === 'success') return 100;
  return total ? Math.min(100, Math.round((completed / total) * 1_000) / 10) : 0;
}
