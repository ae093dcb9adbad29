import { TryAgainLater } from './saga.ts';

const MOST = 5;
const PAUSE_MS = 60_000;

/** Of work that waits for the machine or for a model, though not for ever. After a restart it is counted anew. */
export class Deferrals {
  readonly #counts = new Map<string, number>();
  readonly #pauseMs: number;

  constructor(pauseMs: number = PAUSE_MS) {
    this.#pauseMs = pauseMs;
  }

  /** Whether this work may be put off once more. */
  mayDefer(work: string): boolean {
    return this.#count(work) < MOST;
  }

  /** Which deferral of this work it is. */
  count(work: string): number {
    const count = this.#count(work) + 1;
    this.#counts.set(work, count);
    return count;
  }

  /** For the saga to throw. */
  get later(): TryAgainLater {
    return new TryAgainLater(this.#pauseMs);
  }

  /** This work is done, or nothing is left to do. */
  settle(work: string): void {
    this.#counts.delete(work);
  }

  #count(work: string): number {
    return this.#counts.get(work) ?? 0;
  }
}
