import { Worker } from 'node:worker_threads';
import type { NliReply, NliRequest, NliThreadData, PairVerdict, Refusal, SentencePair } from './messages.ts';

const THREAD = new URL('./thread.ts', import.meta.url);
const IDLE_MS = 60_000;
/** For one batch, the opening of the model with it. */
const LONGEST_CALL_MS = 120_000;

interface InferenceThreadOptions {
  readonly data: NliThreadData;
  readonly onLoaded: () => void;
  readonly onRefused: (refusal: Refusal) => void;
  readonly onLost: () => void;
  readonly idleMs?: number | undefined;
  readonly longestCallMs?: number | undefined;
}

interface Waiting {
  resolve(verdicts: readonly PairVerdict[]): void;
  reject(error: unknown): void;
}

/** The main thread's end of the thread that holds the model. It comes with the first question and goes when idle. */
export class InferenceThread {
  readonly #options: InferenceThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  /** Those that have not come to their end, with when they will have. */
  readonly #threads = new Map<Worker, Promise<void>>();
  #worker: Worker | undefined;
  #limit: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;

  constructor(options: InferenceThreadOptions) {
    this.#options = options;
  }

  judge(pairs: readonly SentencePair[], signal: AbortSignal): Promise<readonly PairVerdict[]> {
    if (signal.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<readonly PairVerdict[]>();
    const id = ++this.#lastId;
    this.#waiting.set(id, { resolve, reject });
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    const worker = this.#worker ?? this.#start();
    worker.ref();
    clearTimeout(this.#idle);
    this.#limit ??= this.#limitFor(worker);
    worker.postMessage({ kind: 'judge', id, pairs } satisfies NliRequest);
    return promise.finally(() => signal.removeEventListener('abort', abort));
  }

  /** Resolves when no thread is left: what goes on in one must not be cut off by the end of the process. */
  async stop(why: Error): Promise<void> {
    this.#letGo(why);
    for (const worker of this.#threads.keys()) worker.ref();
    await Promise.all(this.#threads.values());
  }

  #start(): Worker {
    const worker = new Worker(THREAD, { workerData: this.#options.data });
    worker.on('message', (reply: NliReply) => {
      if (worker === this.#worker) this.#receive(worker, reply);
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#threads.set(worker, ended);
    worker.on('error', () => this.#lose(worker));
    worker.on('exit', () => {
      this.#threads.delete(worker);
      this.#lose(worker);
      end();
    });
    this.#worker = worker;
    return worker;
  }

  #receive(worker: Worker, reply: NliReply): void {
    const { onLoaded, onRefused } = this.#options;
    if (reply.kind === 'loaded') onLoaded();
    else if (reply.kind === 'refused') {
      this.#letGo(new Error(`The inference model is refused: ${reply.refusal.because}`));
      onRefused(reply.refusal);
    } else this.#answer(worker, reply);
  }

  #answer(worker: Worker, reply: Extract<NliReply, { kind: 'judged' | 'failed' }>): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    clearTimeout(this.#limit);
    this.#limit = this.#waiting.size > 0 ? this.#limitFor(worker) : undefined;
    if (reply.kind === 'judged') waiting?.resolve(reply.verdicts);
    else waiting?.reject(new Error(`The inference model failed with ${reply.error}`));
    if (this.#waiting.size === 0) this.#rest(worker);
  }

  #lose(worker: Worker): void {
    if (worker !== this.#worker) return;
    this.#letGo(new Error('The thread of the inference model ended'));
    this.#options.onLost();
  }

  #limitFor(worker: Worker): NodeJS.Timeout {
    return setTimeout(() => this.#lose(worker), this.#options.longestCallMs ?? LONGEST_CALL_MS);
  }

  #rest(worker: Worker): void {
    worker.unref();
    clearTimeout(this.#idle);
    const end = () => {
      if (worker === this.#worker) this.#letGo(new Error('Idle'));
    };
    this.#idle = setTimeout(end, this.#options.idleMs ?? IDLE_MS).unref();
  }

  #letGo(error: Error): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#limit);
    this.#limit = undefined;
    this.#worker?.postMessage({ kind: 'end' } satisfies NliRequest);
    // Nobody has to wait for what nobody wants.
    this.#worker?.unref();
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
