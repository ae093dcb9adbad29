import { HEARING_RATE, WINDOW } from './speech.ts';

/** Speech may be noticed late, and begins before it is: of what was heard, three seconds are kept. */
const KEPT = Math.ceil((3 * HEARING_RATE) / WINDOW + 1) * WINDOW;
/** Of an utterance that does not end, the last five minutes. */
const MOST_KEPT = Math.ceil((300 * HEARING_RATE) / WINDOW) * WINDOW;
/** What is heard again comes in pieces of about a second. */
const PIECE = 32 * WINDOW;

/**
 * What a microphone heard, by windows, in whatever pieces it came; the last of it can be heard again. It lies in a ring: windows
 * of many microphones that each lived for seconds would have all memory looked through again and again.
 */
export class HeardSamples {
  /** From where on somebody listens. */
  readonly #listenedFrom: () => number | undefined;
  /** A sample lies at its number, as often around as it takes; there is one once something came. */
  #ring = new Int16Array(0);
  #came = 0;
  /** From each of these samples on, so many were passed over before. */
  readonly #skips = [{ from: 0, before: 0 }];

  constructor(listenedFrom: () => number | undefined) {
    this.#listenedFrom = listenedFrom;
  }

  /** Samples heard in all, and those that were passed over. */
  get count(): number {
    return this.#came + this.#skipped;
  }

  /** Tells of each part, and of each window that is full with it. */
  add(samples: Int16Array, onPart: (part: Int16Array) => void, onWindow: (window: Int16Array) => void): void {
    for (let at = 0; at < samples.length; ) {
      if (this.#came % WINDOW === 0) this.#makeRoom();
      const place = this.#came % this.#ring.length;
      const part = samples.subarray(at, at + WINDOW - (place % WINDOW));
      this.#ring.set(part, place);
      at += part.length;
      this.#came += part.length;
      onPart(part);
      const end = place + part.length;
      if (end % WINDOW === 0) onWindow(this.#ring.slice(end - WINDOW, end));
    }
  }

  /** They are passed over: nobody heard them. */
  skip(samples: number): void {
    if (samples > 0) this.#skips.push({ from: this.#came, before: this.#skipped + samples });
    while (this.#skips[1] && this.#skips[1].from <= this.#came - MOST_KEPT) this.#skips.shift();
  }

  /** A copy, as far as it is kept. */
  since(heard: number): readonly Int16Array[] {
    const pieces: Int16Array[] = [];
    const oldest = Math.max(0, this.#came - this.#ring.length);
    for (let at = Math.max(oldest, this.#numberOf(heard)); at < this.#came; ) {
      const place = at % this.#ring.length;
      const piece = this.#ring.slice(place, Math.min(place + PIECE, place + this.#came - at));
      pieces.push(piece);
      at += piece.length;
    }
    return pieces;
  }

  forget(): void {
    this.#ring = new Int16Array(0);
    this.#came = 0;
  }

  get #skipped(): number {
    return this.#skips.at(-1)?.before ?? 0;
  }

  /** Of the first sample that came at this place of all that was heard, or behind it. */
  #numberOf(heard: number): number {
    const at = this.#skips.findLastIndex(({ from, before }) => from + before <= heard);
    const behind = this.#skips[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    return Math.min(heard - (this.#skips[at]?.before ?? 0), behind);
  }

  /** For the next window, without what somebody still listens to. */
  #makeRoom(): void {
    const listenedFrom = this.#listenedFrom();
    const wanted = listenedFrom === undefined ? 0 : this.#came + WINDOW - this.#numberOf(listenedFrom);
    if (wanted <= KEPT) {
      if (this.#ring.length !== KEPT) this.#resize(KEPT);
    } else if (wanted > this.#ring.length && this.#ring.length < MOST_KEPT)
      this.#resize(Math.min(MOST_KEPT, 2 * Math.max(KEPT, this.#ring.length)));
  }

  #resize(length: number): void {
    const before = this.#ring;
    this.#ring = new Int16Array(length);
    for (let at = Math.max(0, this.#came - Math.min(length, before.length)); at < this.#came; at += WINDOW) {
      const from = at % before.length;
      this.#ring.set(before.subarray(from, from + WINDOW), at % length);
    }
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
