import type { Cursor, Position, Store } from '../store/port.ts';

/** A saga's place in the log, as long as nobody else moves it. */
export class SagaCursor {
  readonly #store: Store;
  readonly #saga: string;
  readonly #lost = new AbortController();
  #cursor: Cursor;
  #moving: Promise<void> = Promise.resolve();

  private constructor(store: Store, saga: string, cursor: Cursor) {
    this.#store = store;
    this.#saga = saga;
    this.#cursor = cursor;
  }

  /** A saga that is new to this log starts at its end: what is past was past before the saga was there. */
  static async open(store: Store, saga: string): Promise<SagaCursor> {
    const found = await store.readCursor(saga);
    if (found.token > 0) return new SagaCursor(store, saga, found);
    const moved = await store.moveCursor(saga, found, await store.head());
    return new SagaCursor(store, saga, moved ?? (await store.readCursor(saga)));
  }

  get position(): Position {
    return this.#cursor.position;
  }

  /** Somebody else moved it, or it could not be moved: then it is no longer this worker's. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** One move at a time, each to where `target` is when its turn comes. */
  move(target: () => Position): void {
    this.#moving = this.#moving.then(() => this.#moveTo(target()));
  }

  async settled(): Promise<void> {
    await this.#moving;
  }

  async #moveTo(position: Position): Promise<void> {
    if (this.#lost.signal.aborted || position <= this.#cursor.position) return;
    const moved = await this.#store.moveCursor(this.#saga, this.#cursor, position).catch(() => undefined);
    if (moved) this.#cursor = moved;
    else this.#lost.abort();
  }
}
