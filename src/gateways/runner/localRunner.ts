import { once } from 'node:events';
import { hostname, networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { HarkError } from '../../errors.ts';
import { findCommand } from '../machine/commands.ts';
import { jsonOf } from '../models/boundedBody.ts';
import {
  linesOf,
  listedModels,
  loadedModels,
  type PullProgress,
  pullLine,
  type RunnerModel,
  serveOllama,
  versionSaid,
} from './ollama.ts';

/** A dead host must not hold anybody up. */
const LONGEST_ANSWER_MS = 1_500;
const BLAMED = { providerId: 'local-runner' } as const;
const LONGEST_START_MS = 10_000;
/** A layer of many gigabytes is checked without a word in between. */
const LONGEST_SILENCE_MS = 240_000;

interface RunnerStatus {
  readonly installed: boolean;
  readonly running: boolean;
  readonly version?: string;
  readonly models?: readonly Pick<RunnerModel, 'name' | 'size' | 'digest'>[];
  readonly hint: string;
}

interface LocalRunnerOptions {
  /** OLLAMA_HOST. */
  readonly url: string;
  readonly find?: () => string | undefined;
  readonly serve?: typeof serveOllama;
  readonly longestAnswerMs?: number;
}

/** The Ollama at one address: what it has, and how to get it going. */
export class LocalRunner {
  readonly #url: string;
  readonly #find: () => string | undefined;
  readonly #serve: typeof serveOllama;
  readonly #longestAnswerMs: number;
  #starting: Promise<void> | undefined;

  constructor({
    url,
    find = () => findCommand('ollama'),
    serve = serveOllama,
    longestAnswerMs = LONGEST_ANSWER_MS,
  }: LocalRunnerOptions) {
    this.#url = url.replace(/(?<!\/)\/+$/, '');
    this.#find = find;
    this.#serve = serve;
    this.#longestAnswerMs = longestAnswerMs;
  }

  /** Never throws, and takes no longer than an answer may. */
  async status(): Promise<RunnerStatus> {
    const [version, models] = await Promise.all([
      this.version().catch(() => undefined),
      this.models().catch(() => []),
    ]);
    if (version !== undefined) {
      const listed = models.map(({ name, size: bytes, digest }) => ({ name, size: bytes, digest }));
      const hint = listed.length > 0 ? 'Ready' : 'No model yet: POST /api/runner/pull {"model":"llama3.2"}';
      return { installed: true, running: true, version, models: listed, hint };
    }
    if (!this.isHere) return { installed: false, running: false, hint: `Nothing answers at OLLAMA_HOST` };
    return this.#find()
      ? { installed: true, running: false, hint: 'Start it: POST /api/runner/start, or `ollama serve`' }
      : { installed: false, running: false, hint: 'Install Ollama from https://ollama.com/download' };
  }

  async version(): Promise<string> {
    const answer = await this.#ask('/api/version', {});
    return versionSaid.parse(await jsonOf(answer, BLAMED)).version;
  }

  async models(): Promise<readonly RunnerModel[]> {
    const answer = await this.#ask('/api/tags', {});
    const { data } = listedModels.safeParse(await jsonOf(answer, BLAMED).catch(() => undefined));
    if (!data) throw new HarkError('RUNNER_UNAVAILABLE', { message: 'The server there is not Ollama' });
    return data.models;
  }

  /** Until when it keeps each model that is loaded. */
  async keptUntil(): Promise<readonly number[]> {
    const answer = await this.#ask('/api/ps', {});
    const { data } = loadedModels.safeParse(await jsonOf(answer, BLAMED).catch(() => undefined));
    return data?.models.map(({ expires_at: at }) => at) ?? [];
  }

  /** Resolves when the runner has taken the order; what comes then is its progress. */
  async pull(model: string, signal: AbortSignal): Promise<AsyncIterable<PullProgress>> {
    const silent = new AbortController();
    const ended = AbortSignal.any([signal, silent.signal]);
    const body = JSON.stringify({ model, stream: true });
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#ask('/api/pull', { method: 'POST', headers, body, signal: ended });
    return progressOf(answer, silent);
  }

  /** Resolves when it answers, also when it did so before. */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #start(): Promise<void> {
    if (await this.#answers()) return;
    if (!this.isHere)
      throw new HarkError('RUNNER_NOT_STARTED', {
        message: 'OLLAMA_HOST is another machine: start it there',
      });
    const binary = this.#find();
    if (!binary)
      throw new HarkError('RUNNER_NOT_STARTED', {
        message: 'Ollama is not installed: https://ollama.com/download',
      });
    const child = this.#serve(binary, new URL(this.#url).host);
    const ended = new AbortController();
    const failed = Promise.race([once(child, 'error'), once(child, 'exit')]).then(() => ended.abort());
    failed.catch(() => ended.abort());
    const until = AbortSignal.any([ended.signal, AbortSignal.timeout(LONGEST_START_MS)]);
    while (!until.aborted) {
      if (await this.#answers()) return;
      await wait(100, undefined, { signal: until }).catch(() => undefined);
    }
    throw new HarkError('RUNNER_NOT_STARTED', { message: '`ollama serve` ended, or did not answer in time' });
  }

  async #answers(): Promise<boolean> {
    return this.version().then(
      () => true,
      () => false,
    );
  }

  /** On this machine, under whatever of its addresses. */
  get isHere(): boolean {
    const host = new URL(this.#url).hostname.replace(/^\[|\]$/g, '');
    if (/^(localhost|127\.[\d.]+|::1|::|0\.0\.0\.0)$/.test(host) || host === hostname()) return true;
    return Object.values(networkInterfaces()).some((addresses) =>
      addresses?.some(({ address }) => address === host),
    );
  }

  /** The headers have to come in time; what follows them takes its own. */
  async #ask(path: string, { signal, ...init }: RequestInit): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#longestAnswerMs);
    const ended = signal
      ? AbortSignal.any([signal, late.signal])
      : AbortSignal.timeout(this.#longestAnswerMs);
    try {
      const answer = await fetch(this.#url + path, { ...init, redirect: 'error', signal: ended });
      if (answer.ok) return answer;
      await answer.body?.cancel();
      throw new HarkError('RUNNER_UNAVAILABLE', { message: `The local runner answered ${answer.status}` });
    } catch (cause) {
      throw cause instanceof HarkError ? cause : new HarkError('RUNNER_UNAVAILABLE', { cause });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function* progressOf({ body }: Response, silent: AbortController): AsyncGenerator<PullProgress> {
  if (!body) return;
  let timer = setTimeout(() => silent.abort(), LONGEST_SILENCE_MS);
  try {
    for await (const line of linesOf(body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), LONGEST_SILENCE_MS);
      yield pullLine.parse(JSON.parse(line));
    }
  } finally {
    clearTimeout(timer);
    silent.abort();
  }
}
