import { HarkError } from '../../errors.ts';
import { type EngineListening, HEARING_RATE, type HeardWords, type HearingEngine } from './engine.ts';

/** Five minutes: what comes after them is still heard, as long as the engine lasts. */
const MOST_KEPT = 5 * 60 * HEARING_RATE;
const MOST_TRIES = 4;
/** What an engine takes in at once when an utterance is told it anew. */
const PIECE = HEARING_RATE;

interface RecognitionOptions {
  readonly language?: string | undefined;
  readonly onWords?: ((text: string) => void) | undefined;
}

/** For the moment before somebody listens. */
const NOBODY: EngineListening = {
  hear: () => undefined,
  end: () => Promise.reject(new Error('nobody')),
  cancel: () => undefined,
};
const NO_WORDS: HeardWords = { text: '', words: [] };

/**
 * An utterance on its way into words. It asks the first engine that can be had, and the next one with all that was heard
 * where that is lost, while it is still spoken or at its end.
 */
export class KeptRecognition {
  readonly #options: RecognitionOptions;
  readonly #engines: () => Promise<readonly HearingEngine[]>;
  #kept = new Int16Array(HEARING_RATE);
  #length = 0;
  #tries = 0;
  /** They were busy, or did not start: others are asked before they are again. */
  readonly #refused = new Set<HearingEngine>();
  #listening: EngineListening | undefined;
  #engaged: Promise<EngineListening>;
  #isOver = false;
  #isCancelled = false;
  readonly #cancelled = Promise.withResolvers<HeardWords>();

  constructor(engines: () => Promise<readonly HearingEngine[]>, options: RecognitionOptions) {
    this.#engines = engines;
    this.#options = options;
    this.#engaged = this.#engage();
  }

  hear(samples: Int16Array): void {
    if (this.#isOver) return;
    const kept = this.#keep(samples);
    this.#listening?.hear(kept);
  }

  /** Without a word, and at once, where it is cancelled. */
  end(): Promise<HeardWords> {
    return Promise.race([this.#cancelled.promise, this.#understood()]);
  }

  cancel(): void {
    this.#isOver = true;
    this.#isCancelled = true;
    this.#cancelled.resolve(NO_WORDS);
    this.#listening?.cancel();
    this.#listening = undefined;
  }

  async #understood(): Promise<HeardWords> {
    while (true) {
      const listening = await this.#engaged;
      // Its engine may be none, and nobody engages another: whoever went on here would never give way.
      if (this.#isCancelled) return NO_WORDS;
      this.#isOver = true;
      try {
        return await listening.end();
      } catch {
        // Whoever lost it has engaged another one, unless it was lost by its answer alone.
        if (this.#listening === listening) this.#lose(listening);
      }
    }
  }

  #engage(): Promise<EngineListening> {
    const engaged = this.#next();
    // Nobody may wait for it before the end.
    engaged.catch(() => undefined);
    return engaged;
  }

  async #next(): Promise<EngineListening> {
    while (this.#tries++ < MOST_TRIES && !this.#isCancelled) {
      const engines = await this.#engines();
      const usable = engines.filter(({ broken }) => broken === undefined);
      const engine = usable.find((one) => !this.#refused.has(one)) ?? usable[0];
      if (!engine) break;
      try {
        const told = { isLost: false, listening: NOBODY };
        const listening = await engine.listen({
          language: this.#options.language,
          onWords: (text) => {
            if (this.#listening === told.listening) this.#options.onWords?.(text);
          },
          onLost: () => {
            told.isLost = true;
            this.#lose(told.listening);
          },
        });
        if (this.#isCancelled) listening.cancel();
        if (told.isLost || this.#isCancelled) continue;
        told.listening = listening;
        for (let at = 0; at < this.#length; at += PIECE)
          listening.hear(this.#kept.subarray(at, Math.min(this.#length, at + PIECE)));
        this.#listening = listening;
        return listening;
      } catch {
        // The next one is asked; health says what is wrong with this one.
        this.#refused.add(engine);
      }
    }
    throw new HarkError('STT_UNAVAILABLE');
  }

  #lose(listening: EngineListening): void {
    if (this.#listening !== listening) return;
    this.#listening = undefined;
    this.#engaged = this.#engage();
  }

  /** What is heard lies in a place of its own until it is written: theirs may be used again. */
  #keep(samples: Int16Array): Int16Array {
    const from = this.#length;
    const length = Math.min(MOST_KEPT, this.#length + samples.length);
    if (length > this.#kept.length) {
      const larger = new Int16Array(Math.min(MOST_KEPT, Math.max(length, 2 * this.#kept.length)));
      larger.set(this.#kept.subarray(0, this.#length));
      this.#kept = larger;
    }
    this.#kept.set(samples.subarray(0, length - from), from);
    this.#length = length;
    return length - from === samples.length ? this.#kept.subarray(from, length) : samples.slice();
  }
}
