import { HEARING_RATE } from './engine.ts';
import type { Keyword, Spotting, SpottingEngine } from './spottingEngine.ts';

interface SpottingOptions {
  /** Whom to ask, and for what; undefined where nobody could hear it. */
  readonly find: () => Promise<
    { readonly engine: SpottingEngine; readonly keywords: readonly Keyword[] } | undefined
  >;
  /** Milliseconds of what was heard. */
  readonly onDetected: (phrase: string, atMs: number) => void;
}

/** What comes before somebody listens, as a file that is sent at once. */
const MOST_WAITING = 30 * HEARING_RATE;
const LOOK_AGAIN_MS = 1_000;

/** Listens for phrases for as long as it is not closed. An engine that ends is begun anew, and what is said now goes to that. */
export class KeptSpotting implements Spotting {
  readonly #options: SpottingOptions;
  #waiting: Int16Array[] = [];
  /** Samples: of all, and of those that wait. */
  #heard = 0;
  #held = 0;
  #spotting: Spotting | undefined;
  #engaging: Promise<void> | undefined;
  #isClosed = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpottingOptions) {
    this.#options = options;
    this.#engage();
  }

  hear(samples: Int16Array): void {
    if (this.#isClosed) return;
    this.#heard += samples.length;
    if (this.#spotting) {
      this.#spotting.hear(samples);
      return;
    }
    this.#waiting.push(samples.slice());
    this.#held += samples.length;
    while (this.#held > MOST_WAITING) this.#held -= this.#waiting.shift()?.length ?? this.#held;
    if (performance.now() - this.#lookedAt > LOOK_AGAIN_MS) this.#engage();
  }

  async end(): Promise<void> {
    await this.#engaging;
    await this.#spotting?.end();
  }

  close(): void {
    this.#isClosed = true;
    this.#spotting?.close();
    this.#spotting = undefined;
    this.#waiting = [];
  }

  #engage(): void {
    this.#lookedAt = performance.now();
    this.#engaging ??= this.#begin().finally(() => {
      this.#engaging = undefined;
    });
  }

  async #begin(): Promise<void> {
    try {
      const found = await this.#options.find();
      if (!found || found.engine.broken !== undefined || this.#isClosed) return;
      const told = { isLost: false, from: 0 };
      const spotting = await found.engine.spot({
        keywords: found.keywords,
        onDetected: (phrase, seconds) => {
          const atMs = (told.from / HEARING_RATE + seconds) * 1_000;
          if (!this.#isClosed) this.#options.onDetected(phrase, atMs);
        },
        onLost: () => {
          told.isLost = true;
          if (this.#spotting === spotting) this.#spotting = undefined;
        },
      });
      if (this.#isClosed) return spotting.close();
      if (told.isLost) return;
      told.from = this.#heard - this.#held;
      for (const samples of this.#waiting) spotting.hear(samples);
      this.#waiting = [];
      this.#held = 0;
      this.#spotting = spotting;
    } catch {
      // Health says what is wrong with it; it is asked again while there is something to hear.
    }
  }
}
