import { Worker } from 'node:worker_threads';
import { HarkError } from '../../../errors.ts';
import type { IndexCalls, IndexReply, IndexRequest } from './messages.ts';

/** What is indexed stays: room for what does not makes searches wait longer for its collection. */
const YOUNG_MIB = 16;

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The main thread's end of the thread that holds the indexes. It comes with the first call, and again after its end. */
export class IndexThread {
  readonly #onEnded = new Set<() => void>();
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  /** Called whenever the thread ended unasked, and all indexes with it. */
  onEnded(listener: () => void): void {
    this.#onEnded.add(listener);
  }

  async call<Name extends keyof IndexCalls>(
    name: Name,
    ...args: Parameters<IndexCalls[Name]>
  ): Promise<ReturnType<IndexCalls[Name]>> {
    return (await this.#send(name, args)) as ReturnType<IndexCalls[Name]>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#refuseAll();
    await worker?.terminate();
  }

  #send(name: keyof IndexCalls, args: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(notThere());
      this.#worker ??= this.#start();
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.ref();
      this.#worker.postMessage({ id, name, args } satisfies IndexRequest);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    worker.on('message', (reply: IndexReply) => this.#receive(reply));
    const end = () => this.#end(worker);
    worker.on('messageerror', end).on('error', end).on('exit', end);
    return worker;
  }

  #receive(reply: IndexReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    // With nothing to answer it keeps no process from ending.
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ('failure' in reply) waiting?.reject(new Error(`The index failed with ${reply.failure}`));
    else waiting?.resolve(reply.value);
  }

  #end(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const listener of this.#onEnded) listener();
    this.#refuseAll();
    void worker.terminate();
  }

  #refuseAll(): void {
    for (const { reject } of this.#waiting.values()) reject(notThere());
    this.#waiting.clear();
  }
}

function notThere(): HarkError {
  return new HarkError('NOT_READY');
}
