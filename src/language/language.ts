import { Worker } from 'node:worker_threads';
import type { Conversation, ConversationReading, ReadReply, ReadRequest } from './conversation.ts';

const IDLE_MS = 60_000;
const LIMIT_MS = 60_000;
const MOST_TRIES = 2;
const HEAP_MIB = 256;

interface LanguageOptions {
  /** How long the thread stays when there is nothing to read. */
  readonly idleMs?: number;
  /** How long one conversation may take before the thread is given up. */
  readonly limitMs?: number;
}

interface Job {
  readonly id: number;
  readonly conversation: Conversation;
  tries: number;
  readonly resolve: (reading: ConversationReading) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads conversations in a thread that is started when it is first needed and ends when it has been idle. One is read
 * after the other. When the thread dies, what it was reading is tried once more in a new one and then fails; what
 * waits is not touched by it.
 */
export class Language {
  readonly #idleMs: number;
  readonly #limitMs: number;
  readonly #queue: Job[] = [];
  #worker: Worker | undefined;
  #current: Job | undefined;
  #limit: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isStopped = false;

  constructor({ idleMs = IDLE_MS, limitMs = LIMIT_MS }: LanguageOptions = {}) {
    this.#idleMs = idleMs;
    this.#limitMs = limitMs;
  }

  /** The thread that is there at the moment, for tests and for what measures it. */
  get thread(): Worker | undefined {
    return this.#worker;
  }

  readConversation(conversation: Conversation, signal?: AbortSignal): Promise<ConversationReading> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#isStopped) return Promise.reject(new Error('Nothing is read any more'));
    const { promise, resolve, reject } = Promise.withResolvers<ConversationReading>();
    const job: Job = { id: ++this.#lastId, conversation, tries: 0, resolve, reject };
    const abort = () => this.#drop(job, signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#queue.push(job);
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', abort));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const open = [...this.#queue.splice(0), ...(this.#current ? [this.#current] : [])];
    this.#current = undefined;
    for (const { reject } of open) reject(new Error('Nothing is read any more'));
    await this.#end();
  }

  #next(): void {
    if (this.#current) return;
    const job = this.#queue.shift();
    if (!job) {
      this.#rest();
      return;
    }
    clearTimeout(this.#idle);
    this.#current = job;
    job.tries++;
    const worker = this.#worker ?? this.#start();
    worker.ref();
    this.#limit = setTimeout(
      () => this.#lose(worker, new Error('Reading a conversation took too long')),
      this.#limitMs,
    );
    worker.postMessage({ id: job.id, conversation: job.conversation } satisfies ReadRequest);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./languageThread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
    worker.on('message', (reply: ReadReply) => this.#receive(worker, reply));
    worker.on('error', () => this.#lose(worker, new Error('The thread that reads conversations died')));
    worker.on('exit', () => this.#lose(worker, new Error('The thread that reads conversations ended')));
    this.#worker = worker;
    return worker;
  }

  #receive(worker: Worker, reply: ReadReply): void {
    const job = this.#current;
    if (worker !== this.#worker || job?.id !== reply.id) return;
    this.#settle();
    if ('reading' in reply) job.resolve(reply.reading);
    else job.reject(new Error(`A conversation could not be read: ${reply.failed}`));
    this.#next();
  }

  #lose(worker: Worker, error: Error): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    void worker.terminate();
    const job = this.#current;
    this.#settle();
    if (job && job.tries < MOST_TRIES) this.#queue.unshift(job);
    else job?.reject(error);
    this.#next();
  }

  /** What is being read already is read to its end, for nobody: stopping the thread would cost more. */
  #drop(job: Job, reason: unknown): void {
    const index = this.#queue.indexOf(job);
    if (index >= 0) this.#queue.splice(index, 1);
    job.tries = MOST_TRIES;
    job.reject(reason);
  }

  #settle(): void {
    clearTimeout(this.#limit);
    this.#current = undefined;
  }

  #rest(): void {
    this.#worker?.unref();
    clearTimeout(this.#idle);
    if (this.#worker) this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    clearTimeout(this.#limit);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
