import { HEARING_RATE, WINDOW } from './speech.ts';

interface Piece {
  readonly at: number;
  readonly samples: Int16Array;
}

/** Speech may be noticed late, and begins before it is: so much of what was heard is kept. */
const KEPT = 3 * HEARING_RATE;
/** Of an utterance that does not end, the end. */
const MOST_KEPT = 300 * HEARING_RATE;

/** What a microphone heard, by windows, in whatever pieces it came; the last of it can be heard again. */
export class HeardSamples {
  readonly #pieces: Piece[] = [];
  /** From where on somebody listens. */
  readonly #listenedFrom: () => number | undefined;
  #window = new Int16Array(WINDOW);
  #inWindow = 0;
  #heard = 0;

  constructor(listenedFrom: () => number | undefined) {
    this.#listenedFrom = listenedFrom;
  }

  /** Samples heard in all. */
  get count(): number {
    return this.#heard;
  }

  /** Tells of each part, and of each window that is full with it. */
  add(samples: Int16Array, onPart: (part: Int16Array) => void, onWindow: (window: Int16Array) => void): void {
    for (let at = 0; at < samples.length; ) {
      const part = samples.subarray(at, at + WINDOW - this.#inWindow);
      this.#window.set(part, this.#inWindow);
      this.#inWindow += part.length;
      at += part.length;
      this.#heard += part.length;
      onPart(part);
      if (this.#inWindow < WINDOW) continue;
      const window = this.#window;
      this.#window = new Int16Array(WINDOW);
      this.#inWindow = 0;
      this.#keep(window);
      onWindow(window);
    }
  }

  /** They are passed over: nobody heard them. */
  skip(samples: number): void {
    this.#heard += samples;
  }

  since(from: number): readonly Int16Array[] {
    const begun = { at: this.#heard - this.#inWindow, samples: this.#window.slice(0, this.#inWindow) };
    return [...this.#pieces, begun].flatMap(({ at, samples }) => {
      if (at + samples.length <= from) return [];
      return at >= from ? [samples] : [samples.subarray(from - at)];
    });
  }

  forget(): void {
    this.#pieces.length = 0;
  }

  #keep(samples: Int16Array): void {
    this.#pieces.push({ at: this.#heard - samples.length, samples });
    const from = Math.min(this.#heard - KEPT, this.#listenedFrom() ?? Number.POSITIVE_INFINITY);
    const oldest = Math.max(from, this.#heard - MOST_KEPT);
    let old = 0;
    for (const piece of this.#pieces) {
      if (piece.at + piece.samples.length > oldest) break;
      old++;
    }
    if (old > 0) this.#pieces.splice(0, old);
  }
}

/** As loud as a quiet room: what is below that is not told apart. */
const FAINTEST = 36;

/** In decibels above one step of a sample. */
export function levelOf(samples: Int16Array): number {
  let power = 0;
  for (const sample of samples) power += sample * sample;
  return Math.max(FAINTEST, 10 * Math.log10(power / Math.max(1, samples.length)));
}
