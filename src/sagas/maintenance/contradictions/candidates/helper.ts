import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { HelperReply, HelperRequest, SharedWork } from './messages.ts';
import type { FoundNearest } from './nearestOfRows.ts';

const THREAD = new URL('./helperThread.ts', import.meta.url);

/** A second thread, with which the first one shares its work. */
export class Helper {
  readonly #worker = new Worker(THREAD);
  readonly #ended: Promise<unknown>;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    this.#worker.on('exit', () => resolve());
    // Whoever waits for an answer is told so by the end of the thread.
    this.#worker.on('error', () => undefined);
  }

  /** What it has found, when nothing is left to be taken. */
  async takePart(work: SharedWork): Promise<FoundNearest> {
    const answered: Promise<HelperReply[]> = once(this.#worker, 'message');
    this.#tell({ kind: 'work', work });
    const [reply] = (await Promise.race([answered, this.#ended.then(() => undefined)])) ?? [];
    if (reply?.kind === 'found') return reply.found;
    throw new Error(`The second thread failed with ${reply?.error ?? 'no answer'}`);
  }

  /** Resolves when it is gone; it must not be ended with the thread that made it, since it works for the runtime. */
  async end(): Promise<void> {
    this.#tell({ kind: 'end' });
    await this.#ended;
  }

  #tell(request: HelperRequest): void {
    this.#worker.postMessage(request);
  }
}
