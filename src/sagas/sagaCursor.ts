import type { Cursor, Position, Store } from '../store/port.ts';

/** A move waits for the disk, and what users wait for waits behind it: moves that come so closely are one. */
const APART_MS = 100;

/** A saga's place in the log, as long as nobody else moves it. */
export class SagaCursor {
  readonly #store: Store;
  readonly #saga: string;
  readonly #lost = new AbortController();
  #cursor: Cursor;
  #moving: Promise<void> = Promise.resolve();
  #due: { readonly timer: NodeJS.Timeout; readonly target: () => Position } | undefined;

  private constructor(store: Store, saga: string, cursor: Cursor) {
    this.#store = store;
    this.#saga = saga;
    this.#cursor = cursor;
  }

  /**
   * A saga that is new to this log starts at its end, where nothing else is said: what is past was past before the
   * saga was there.
   */
  static async open(store: Store, saga: string, start?: Position): Promise<SagaCursor> {
    const found = await store.readCursor(saga);
    if (found.token > 0) return new SagaCursor(store, saga, found);
    const moved = await store.moveCursor(saga, found, start ?? (await store.head()));
    return new SagaCursor(store, saga, moved ?? (await store.readCursor(saga)));
  }

  get position(): Position {
    return this.#cursor.position;
  }

  /** Somebody else moved it, or it could not be moved: then it is no longer this worker's. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Soon, to where `target` is by then: whoever is killed before does again what came of the last moments. */
  move(target: () => Position): void {
    this.#due ??= { target, timer: setTimeout(() => this.#moveNow(), APART_MS) };
  }

  /** Resolves when it stands where it was moved to last, at once and not soon. */
  async settled(): Promise<void> {
    this.#moveNow();
    await this.#moving;
  }

  /** One move at a time: the next one needs the token of the last. */
  #moveNow(): void {
    if (!this.#due) return;
    const { timer, target } = this.#due;
    clearTimeout(timer);
    this.#due = undefined;
    this.#moving = this.#moving.then(() => this.#moveTo(target()));
  }

  async #moveTo(position: Position): Promise<void> {
    if (this.#lost.signal.aborted || position <= this.#cursor.position) return;
    const moved = await this.#store.moveCursor(this.#saga, this.#cursor, position).catch(() => undefined);
    if (moved) this.#cursor = moved;
    else this.#lost.abort();
  }
}
