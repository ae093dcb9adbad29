import { Worker } from 'node:worker_threads';
import type { HelperReply, HelperRequest, SharedWork } from './messages.ts';
import type { FoundNearest } from './nearestOfRows.ts';

const THREAD = new URL('./helperThread.ts', import.meta.url);

/** A second thread, with which the first one shares its work. */
export class Helper {
  readonly #worker = new Worker(THREAD);
  readonly #ended: Promise<void>;
  /** By the id of what is asked: whoever gave up on one may ask for another before the first is answered. */
  readonly #waiting = new Map<number, (reply: HelperReply | undefined) => void>();
  #isOver = false;
  #lastId = 0;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    this.#worker.on('message', (reply: HelperReply) => this.#answer(reply.id, reply));
    // Whoever waits for an answer is told so by the end of the thread.
    this.#worker.on('error', () => undefined);
    this.#worker.on('exit', () => {
      this.#isOver = true;
      for (const id of this.#waiting.keys()) this.#answer(id, undefined);
      resolve();
    });
  }

  /** What it has found, when nothing is left to be taken. It is told of it at once. */
  async takePart(work: SharedWork): Promise<FoundNearest> {
    const { promise, resolve } = Promise.withResolvers<HelperReply | undefined>();
    const id = ++this.#lastId;
    if (this.#isOver) resolve(undefined);
    else this.#waiting.set(id, resolve);
    this.#tell({ kind: 'work', id, work });
    const reply = await promise;
    if (reply?.kind === 'found') return reply.found;
    throw new Error(`The second thread failed with ${reply?.error ?? 'no answer'}`);
  }

  /** Resolves when it is gone; it must not be ended with the thread that made it, since it works for the runtime. */
  async end(): Promise<void> {
    this.#tell({ kind: 'end' });
    await this.#ended;
  }

  #answer(id: number, reply: HelperReply | undefined): void {
    this.#waiting.get(id)?.(reply);
    this.#waiting.delete(id);
  }

  #tell(request: HelperRequest): void {
    this.#worker.postMessage(request);
  }
}
