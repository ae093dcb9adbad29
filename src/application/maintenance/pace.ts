import { setTimeout as wait } from 'node:timers/promises';
import { fairShare, hasTime } from '../../fairShare.ts';

/** Changes in one append: each is on the disk before the next is decided, and none holds up others for long. */
const CHANGES_AT_ONCE = 75;

/** Beside a turn of chat, which comes back to the main thread a dozen times, so long at a stretch … */
const LONGEST_PIECE_MS = 1;
const CHANGES_A_PIECE = 25;
/** … and then nothing for so long. */
const REST_MS = 20;
/** In all, so that what is begun comes to its end however much is talked. */
const MOST_REST_MS = 15_000;

interface Surroundings {
  readonly isChatting?: () => boolean;
  readonly now?: () => number;
  readonly rest?: (ms: number) => Promise<unknown>;
}

/** Keeps long work on the main thread out of the way of others, and while somebody chats all the more. */
export class Pace {
  readonly #isChatting: () => boolean;
  readonly #now: () => number;
  readonly #rest: (ms: number) => Promise<unknown>;
  #restLeftMs = MOST_REST_MS;
  #since: number;

  constructor({
    isChatting = () => false,
    now = () => performance.now(),
    rest = (ms) => wait(ms),
  }: Surroundings = {}) {
    this.#isChatting = isChatting;
    this.#now = now;
    this.#rest = rest;
    this.#since = now();
  }

  /** How many changes go into one append now. */
  get changesAtOnce(): number {
    return this.#isGentle ? CHANGES_A_PIECE : CHANGES_AT_ONCE;
  }

  /** To be asked between two small pieces of work: false when a pause is due. */
  hasTime(): boolean {
    return this.#isGentle ? this.#now() - this.#since < LONGEST_PIECE_MS : hasTime();
  }

  async pause(): Promise<void> {
    if (this.#isGentle) {
      this.#restLeftMs -= REST_MS;
      await this.#rest(REST_MS);
    } else await fairShare();
    this.#since = this.#now();
  }

  get #isGentle(): boolean {
    return this.#restLeftMs > 0 && this.#isChatting();
  }
}
