import { setTimeout as wait } from 'node:timers/promises';
import { fairShare, hasTime } from '../../fairShare.ts';

/** Takes in what one tool server says, no faster than it may. */
export class Intake {
  readonly #allowance = new Allowance(() => performance.now());
  readonly #onCutOff: (why: string) => void;
  readonly #closed = new AbortController();

  constructor(onCutOff: (why: string) => void) {
    this.#onCutOff = onCutOff;
  }

  /** Resolves when the next of so many bytes may be looked at: whoever waits for that reads nothing more. */
  async take(bytes: number): Promise<void> {
    if (!hasTime()) await fairShare();
    this.#closed.signal.throwIfAborted();
    const ms = this.#allowance.spend(bytes);
    if (ms === Number.POSITIVE_INFINITY) this.cutOff('It did not stop sending');
    if (ms > 0) await wait(ms, undefined, { signal: this.#closed.signal, ref: false });
  }

  whileAsked<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#allowance.whileAsked(work);
  }

  cutOff(why: string): never {
    this.#onCutOff(why);
    throw new Error(why);
  }

  close(): void {
    this.#closed.abort();
  }
}

/** What a message takes of the main thread, and each byte of it, in microseconds; measured, and rounded up. */
const MESSAGE_US = 30;
const BYTE_US = 0.01;
/** What a server may take of it at once, and in the long run. */
const MOST_US = 20_000;
const SHARE = 0.05;
const US_A_MS = 1_000 * SHARE;
/** Whoever takes all of it for so long, with nobody asking, has nothing to tell. */
const LONGEST_FLOOD_MS = 3_000;

/**
 * What a tool server may say: as much as takes a small share of the main thread, which it has in common with all
 * that the service does. That is a good thousand messages a second, or megabytes of long ones.
 */
export class Allowance {
  readonly #clock: () => number;
  #left = MOST_US;
  #lookedAt: number;
  /** When it last had some left, or somebody waited for what it says. */
  #restedAt: number;
  #asked = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#lookedAt = clock();
    this.#restedAt = this.#lookedAt;
  }

  /** Milliseconds until what it said may be looked at; for ever, when it has been saying too much for too long. */
  spend(bytes: number): number {
    const now = this.#clock();
    this.#left = Math.min(MOST_US, this.#left + (now - this.#lookedAt) * US_A_MS);
    this.#lookedAt = now;
    if (this.#left > MOST_US / 2 || this.#asked > 0) this.#restedAt = now;
    if (now - this.#restedAt > LONGEST_FLOOD_MS) return Number.POSITIVE_INFINITY;
    this.#left -= MESSAGE_US + bytes * BYTE_US;
    return Math.max(0, -this.#left / US_A_MS);
  }

  /** What it is asked it may answer for as long as it takes. */
  async whileAsked<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#asked++;
    try {
      return await work();
    } finally {
      this.#asked--;
    }
  }
}
