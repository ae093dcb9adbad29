import { HarkError } from '../../../errors.ts';
import { RestingThread, ThreadLost } from '../../../restingThread.ts';
import { userOf } from './loadedUsers.ts';
import type { IndexAnswer, IndexCalls, IndexJob, IndexKind, Size } from './messages.ts';
import type { IndexPiece } from './pieces.ts';
import type { VectorSetName } from './vectors/vectorIndex.ts';
import type { VectorRows } from './vectors/vectorRows.ts';

/** What is indexed stays: room for what does not makes searches wait longer for its collection. */
const YOUNG_MIB = 16;
/** Far more than any call takes that is bounded as ours are, also where the machine has much else to do. */
const LIMIT_MS = 20_000;
const STARTING_MS = 60_000;

/**
 * The main thread's end of the thread that holds the indexes. It comes with the first call, and again after its end.
 * The calls of a user are done in their order, and users take turns.
 */
export class IndexThread {
  readonly #onEnded = new Set<() => void>();
  readonly #thread: RestingThread<IndexJob, IndexAnswer>;

  constructor({ limitMs = LIMIT_MS }: { readonly limitMs?: number } = {}) {
    this.#thread = new RestingThread({
      script: new URL('./thread.ts', import.meta.url),
      limits: { maxYoungGenerationSizeMb: YOUNG_MIB },
      limitMs,
      startingMs: STARTING_MS,
      tries: 1,
      // While one part of an index is taken in, the next is there already.
      atHand: 2,
      keeps: true,
      onLost: () => {
        for (const listener of this.#onEnded) listener();
      },
    });
  }

  /** Called whenever the thread ended unasked, and all indexes with it. */
  onEnded(listener: () => void): void {
    this.#onEnded.add(listener);
  }

  /** It takes longer to start than it takes to find what it will be given first. */
  wake(): void {
    this.#thread.wake();
  }

  async call<Name extends keyof IndexCalls>(
    name: Name,
    ...args: Parameters<IndexCalls[Name]>
  ): Promise<ReturnType<IndexCalls[Name]>> {
    return this.#answered<Name>(await this.#ask({ name, args }, args[0]));
  }

  /** The rows are not copied: whoever sends them lets go of them. */
  async addVectors(key: string, name: VectorSetName, rows: VectorRows): Promise<Size> {
    const job = { name: 'addVectors', args: [key, name, rows] } as const;
    return this.#answered<'addVectors'>(await this.#ask(job, key, [rows.numbers.buffer]));
  }

  /** The bytes are not copied either. */
  async restore(key: string, kind: IndexKind, piece: IndexPiece): Promise<Size> {
    const job = { name: 'restore', args: [key, kind, piece] } as const;
    return this.#answered<'restore'>(await this.#ask(job, key, [piece.buffer]));
  }

  #answered<Name extends keyof IndexCalls>(answer: IndexAnswer): ReturnType<IndexCalls[Name]> {
    if ('failure' in answer) throw new Error(`The index failed with ${answer.failure}`);
    return answer.value as ReturnType<IndexCalls[Name]>;
  }

  close(): Promise<void> {
    return this.#thread.stop();
  }

  async #ask(job: IndexJob, key = '', transfer: readonly ArrayBuffer[] = []): Promise<IndexAnswer> {
    try {
      return await this.#thread.do(job, { owner: userOf(key), transfer });
    } catch (error) {
      throw error instanceof ThreadLost ? new HarkError('NOT_READY') : error;
    }
  }
}
