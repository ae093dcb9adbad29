import { type ResourceLimits, Worker } from 'node:worker_threads';
import { FairQueue } from './fairQueue.ts';

/** What a thread is asked. */
export interface ThreadRequest<Job> {
  readonly id: number;
  readonly job: Job;
}

/** A thread says when it has started, and then answers. */
export type FromThread<Answer> = 'ready' | { readonly id: number; readonly answer: Answer };

const reasons = { slow: 'took too long', died: 'died', stopped: 'stopped', full: 'has too much waiting' };

/** Why a job has no answer: it took too long, the thread ended by itself or is not to work any more, or too much waits. */
export class ThreadLost extends Error {
  readonly reason: keyof typeof reasons;

  constructor(reason: ThreadLost['reason']) {
    super(`The thread ${reasons[reason]}`);
    this.reason = reason;
  }
}

interface RestingThreadOptions {
  readonly script: URL;
  readonly limits?: ResourceLimits;
  /** How long the thread stays when there is nothing to do; for ever where it is not said. */
  readonly idleMs?: number;
  /** How long one job may take before the thread is given up. */
  readonly limitMs: number;
  /** How long a new thread may take until it says that it is ready. */
  readonly startingMs: number;
  /** How often a job is begun whose thread dies. What took too long would do so again. */
  readonly tries: number;
  /** How many jobs the thread has at hand: with two, it need not wait for the main thread in between. */
  readonly atHand?: number;
  /** Whether a job builds on those before it: what waits when a thread is lost is lost with it. */
  readonly keeps?: boolean;
  /** Told of a thread that was lost, and all that it held with it. */
  readonly onLost?: (error: unknown) => void;
}

/** Whose work it is, and until when it is wanted. */
export interface Doing {
  readonly owner?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Memory of the job that goes over to the thread instead of being copied: the job cannot be tried again then. */
  readonly transfer?: readonly ArrayBuffer[];
}

interface Waiting<Job, Answer> {
  readonly id: number;
  readonly owner: string;
  readonly job: Job;
  readonly transfer: readonly ArrayBuffer[];
  tries: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Far more than honest use of anybody comes to. */
const MOST_WAITING = 10_000;

/**
 * A thread that is started when it is first needed and ends when it has been idle. It does one job after the other,
 * and those whose jobs they are take turns. One that takes too long, or too much memory, ends with the thread; what
 * waits is done in the next one.
 */
export class RestingThread<Job, Answer> {
  readonly #options: RestingThreadOptions;
  readonly #queue = new FairQueue<Waiting<Job, Answer>>();
  /** What the thread was given, the one that it works on first. */
  #given: Waiting<Job, Answer>[] = [];
  #worker: Worker | undefined;
  #isReady = false;
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

  /** Starts it where it is not there: for who will have a job for it, and has to find out first what that is. */
  wake(): void {
    if (this.#isStopped || this.#worker) return;
    this.#start();
    this.#rest();
  }

  /** Rejects with `ThreadLost`, or with the reason of the signal. */
  async do(job: Job, { owner = '', signal, transfer = [] }: Doing = {}): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.#isStopped) throw new ThreadLost('stopped');
    if (this.#queue.waitingOf(owner) >= MOST_WAITING) throw new ThreadLost('full');
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting = { id: ++this.#lastId, owner, job, transfer, tries: 0, resolve, reject };
    const abort = () => this.#drop(waiting, signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#queue.push(owner, waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Not for threads in which onnxruntime works: to end one of those ends the process. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const open = [...this.#given.splice(0), ...this.#queue.drain()];
    for (const { reject } of open) reject(new ThreadLost('stopped'));
    await this.#end();
  }

  #next(): void {
    while (this.#given.length < (this.#options.atHand ?? 1)) {
      const next = this.#queue.shift();
      if (!next) break;
      this.#give(next);
    }
    if (this.#given.length === 0) this.#rest();
  }

  #give(next: Waiting<Job, Answer>): void {
    clearTimeout(this.#idle);
    next.tries++;
    const worker = this.#worker ?? this.#start();
    worker.ref();
    if (this.#given.push(next) === 1) this.#limitFor(worker);
    worker.postMessage({ id: next.id, job: next.job } satisfies ThreadRequest<Job>, next.transfer);
  }

  #limitFor(worker: Worker): void {
    clearTimeout(this.#limit);
    const ms = this.#isReady ? this.#options.limitMs : this.#options.startingMs;
    this.#limit = setTimeout(() => this.#lose(worker, 'slow'), ms);
  }

  #start(): Worker {
    const { script, limits } = this.#options;
    const worker = new Worker(script, limits ? { resourceLimits: limits } : {});
    worker.on('message', (message: FromThread<Answer>) => this.#receive(worker, message));
    worker.on('messageerror', (error) => this.#lose(worker, 'died', error));
    worker.on('error', (error) => this.#lose(worker, 'died', error));
    worker.on('exit', () => this.#lose(worker, 'died'));
    this.#worker = worker;
    this.#isReady = false;
    return worker;
  }

  #receive(worker: Worker, message: FromThread<Answer>): void {
    if (worker !== this.#worker) return;
    const [current, ...others] = this.#given;
    if (message === 'ready') this.#isReady = true;
    else if (message.id === current?.id) {
      this.#given = others;
      current.resolve(message.answer);
    } else return;
    clearTimeout(this.#limit);
    if (this.#given.length > 0) this.#limitFor(worker);
    this.#next();
  }

  /** What it had at hand beside the job that it was lost with has not been begun. */
  #lose(worker: Worker, reason: 'slow' | 'died', error?: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    clearTimeout(this.#limit);
    void worker.terminate();
    const [current, ...others] = this.#given.splice(0);
    const lost = new ThreadLost(reason);
    this.#options.onLost?.(error ?? lost);
    if (current && reason === 'died' && current.tries < this.#options.tries) others.unshift(current);
    else current?.reject(lost);
    if (this.#options.keeps) for (const other of [...others, ...this.#queue.drain()]) other.reject(lost);
    else for (const other of others) this.#queue.push(other.owner, other);
    this.#next();
  }

  /** What is under way is done to its end, for nobody: stopping the thread would cost more. */
  #drop(waiting: Waiting<Job, Answer>, reason: unknown): void {
    this.#queue.remove(waiting.owner, waiting);
    waiting.tries = this.#options.tries;
    waiting.reject(reason);
  }

  #rest(): void {
    const { idleMs } = this.#options;
    this.#worker?.unref();
    clearTimeout(this.#idle);
    if (this.#worker && idleMs !== undefined) this.#idle = setTimeout(() => void this.#end(), idleMs).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#limit);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
