import { Worker } from 'node:worker_threads';

/** What a thread is asked. */
export interface ThreadRequest<Job> {
  readonly id: number;
  readonly job: Job;
}

/** A thread says when it has started, and then answers. */
export type FromThread<Answer> = 'ready' | { readonly id: number; readonly answer: Answer };

/** Why a job has no answer: the thread was given up, ended by itself, or is not to work any more. */
export class ThreadLost extends Error {
  readonly reason: 'slow' | 'died' | 'stopped';

  constructor(reason: ThreadLost['reason']) {
    super(`The thread ${reason === 'slow' ? 'took too long' : reason}`);
    this.reason = reason;
  }
}

interface RestingThreadOptions {
  readonly script: URL;
  readonly heapMib: number;
  /** How long the thread stays when there is nothing to do. */
  readonly idleMs: number;
  /** How long one job may take before the thread is given up. */
  readonly limitMs: number;
  /** How long a new thread may take until it says that it is ready. */
  readonly startingMs: number;
  /** How often a job is begun that ends with its thread. */
  readonly tries: number;
}

interface Waiting<Job, Answer> {
  readonly id: number;
  readonly job: Job;
  tries: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread that is started when it is first needed and ends when it has been idle. It does one job after the other; one
 * that takes too long, or too much memory, ends with the thread, and what waits is not touched by it.
 */
export class RestingThread<Job, Answer> {
  readonly #options: RestingThreadOptions;
  readonly #queue: Waiting<Job, Answer>[] = [];
  #worker: Worker | undefined;
  #current: Waiting<Job, Answer> | undefined;
  #limit: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isStopped = false;

  constructor(options: RestingThreadOptions) {
    this.#options = options;
  }

  /** The one that is there at the moment, for tests and for what measures it. */
  get worker(): Worker | undefined {
    return this.#worker;
  }

  /** Rejects with `ThreadLost`, or with the reason of the signal. */
  async do(job: Job, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.#isStopped) throw new ThreadLost('stopped');
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting = { id: ++this.#lastId, job, tries: 0, resolve, reject };
    const abort = () => this.#drop(waiting, signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#queue.push(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Not for threads in which onnxruntime works: to end one of those ends the process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const open = [...(this.#current ? [this.#current] : []), ...this.#queue.splice(0)];
    this.#current = undefined;
    for (const { reject } of open) reject(new ThreadLost('stopped'));
    await this.#end();
  }

  #next(): void {
    if (this.#current) return;
    const current = this.#queue.shift();
    if (!current) {
      this.#rest();
      return;
    }
    clearTimeout(this.#idle);
    this.#current = current;
    current.tries++;
    const isNew = this.#worker === undefined;
    const worker = this.#worker ?? this.#start();
    worker.ref();
    this.#giveAtMost(isNew ? this.#options.startingMs : this.#options.limitMs, worker);
    worker.postMessage({ id: current.id, job: current.job } satisfies ThreadRequest<Job>);
  }

  #giveAtMost(ms: number, worker: Worker): void {
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.#lose(worker, 'slow'), ms);
  }

  #start(): Worker {
    const { script, heapMib, limitMs } = this.#options;
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: heapMib } });
    worker.on('message', (message: FromThread<Answer>) => {
      if (worker !== this.#worker || !this.#current) return;
      if (message === 'ready') this.#giveAtMost(limitMs, worker);
      else if (message.id === this.#current.id) this.#settle()?.resolve(message.answer);
      this.#next();
    });
    worker.on('error', () => this.#lose(worker, 'died'));
    worker.on('exit', () => this.#lose(worker, 'died'));
    this.#worker = worker;
    return worker;
  }

  #lose(worker: Worker, reason: ThreadLost['reason']): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    void worker.terminate();
    const current = this.#settle();
    if (current && current.tries < this.#options.tries) this.#queue.unshift(current);
    else current?.reject(new ThreadLost(reason));
    this.#next();
  }

  /** What is under way is done to its end, for nobody: stopping the thread would cost more. */
  #drop(waiting: Waiting<Job, Answer>, reason: unknown): void {
    const index = this.#queue.indexOf(waiting);
    if (index >= 0) this.#queue.splice(index, 1);
    waiting.tries = this.#options.tries;
    waiting.reject(reason);
  }

  #settle(): Waiting<Job, Answer> | undefined {
    clearTimeout(this.#limit);
    const current = this.#current;
    this.#current = undefined;
    return current;
  }

  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idle);
    if (this.#worker) this.#idle = setTimeout(() => void this.#end(), this.#options.idleMs).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#limit);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
