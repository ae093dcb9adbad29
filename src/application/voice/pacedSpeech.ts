import type { SpokenText } from './heard.ts';
import type { TimedWord } from './speech.ts';

/** Time as speech is paced by: milliseconds that only go forward. */
export interface SpeechPace {
  readonly now: () => number;
  /** Returns what cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export interface PacedSpeechOptions {
  readonly pace: SpeechPace;
  readonly rate: number;
  readonly onAudio: (
    samples: Int16Array,
    how: { readonly isFirst: boolean; readonly isLowered: boolean },
  ) => void;
  /** A part of the text, as it is, when its speech is sent. */
  readonly onWords: (delta: string, words: readonly TimedWord[]) => void;
  /** A sentence was played to its end. */
  readonly onHeard: (characters: number) => void;
  /** All of it was played. */
  readonly onDone: () => void;
}

interface Maker {
  /** Where in the speech each word is. */
  readonly spoken: SpokenText;
  /** The last of it was added. */
  readonly isWhole: () => boolean;
  /** There may be room for more. */
  readonly onSent: () => void;
}

/** What waits to be sent of a sentence: its samples, and the words that begin in them. */
export interface Chunk {
  readonly samples: Int16Array;
  readonly words: { readonly at: number; readonly delta: string; readonly word: TimedWord | undefined }[];
  /** With it the sentence ends. */
  readonly ends: number | undefined;
}

const FRAME_MS = 20;
/** So much is sent before it is to be heard: enough for a network, and little to take back. */
const LEAD_MS = 80;
/** So long a client may play behind what was sent: for that long a reply goes on, and can be interrupted. */
const MOST_BEHIND_MS = 5_000;
/** 20 dB down. */
const LOWERED = 0.1;

/** The speech of one reply, sent in frames at the pace of time: how much of it was heard, and at which level. */
export class PacedSpeech {
  readonly #options: PacedSpeechOptions;
  readonly #maker: Maker;
  readonly #chunks: Chunk[] = [];
  readonly #ends: { readonly ms: number; readonly characters: number }[] = [];
  #isHeld = false;
  #isOver = false;
  /** Samples: made, sent, and of the first chunk sent. */
  #made = 0;
  #sent = 0;
  #ofChunk = 0;
  /** When the first sample would have been heard, had there been no pause. */
  #base: number | undefined;
  #loweredFrom: number | undefined;
  /** In milliseconds of it: what was sent lowered, for interruptions that were none. */
  readonly #soft: { readonly from: number; readonly to: number }[] = [];
  #played: number | undefined;
  /** So far the client plays behind the pace of time. */
  #behind = 0;
  /** Once it was stopped. */
  #heardMs: number | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(options: PacedSpeechOptions, maker: Maker) {
    this.#options = options;
    this.#maker = maker;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Samples. */
  get made(): number {
    return this.#made;
  }

  /** Made, and not sent. */
  get aheadMs(): number {
    return this.#ms(this.#made - this.#sent);
  }

  add(chunk: Chunk): void {
    this.#made += chunk.samples.length;
    this.#chunks.push(chunk);
    this.pump();
  }

  lower(): void {
    this.#loweredFrom ??= this.#sent;
  }

  raise(): void {
    if (this.#loweredFrom !== undefined && this.#loweredFrom < this.#sent)
      this.#soft.push({ from: this.#ms(this.#loweredFrom), to: this.#ms(this.#sent) });
    this.#loweredFrom = undefined;
  }

  /** Nothing is sent until it is released. */
  hold(): void {
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#cancelTimer?.();
    this.#base = undefined;
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.pump();
  }

  stop(): void {
    this.#heardMs = this.heardMs;
    this.#isOver = true;
    this.#cancelTimer?.();
  }

  /** What the client says that it has played so far. */
  played(ms: number): void {
    this.#played = ms;
    if (this.#base === undefined) return;
    const sent = this.#ms(this.#sent);
    const elapsed = this.#options.pace.now() - this.#base;
    const due = this.#chunks.length === 0 ? elapsed : Math.min(sent, elapsed);
    this.#behind = ms >= sent ? 0 : Math.min(MOST_BEHIND_MS, Math.max(0, due - ms));
  }

  /** Milliseconds of it that were heard: at the pace of time, at full level, and no more than the client says. */
  get heardMs(): number {
    if (this.#heardMs !== undefined) return this.#heardMs;
    const sent = this.#ms(this.#sent);
    const elapsed = this.#base === undefined ? sent : this.#options.pace.now() - this.#base;
    const lowered = this.#loweredFrom === undefined ? sent : this.#ms(this.#loweredFrom);
    return this.#atFullLevel(Math.max(0, Math.min(sent, elapsed, lowered, this.#played ?? sent)));
  }

  /** Of what was heard, so many characters lie before this moment of the audio. */
  heardBefore(ms: number): number {
    return this.#maker.spoken.charactersAt(this.#atFullLevel(Math.min(ms, this.heardMs)));
  }

  /** History is a beginning of the text: what was lowered is in it only with a word behind it that was heard as well. */
  #atFullLevel(ms: number): number {
    const { spoken } = this.#maker;
    return this.#soft.reduceRight((heard, { from, to }) => {
      const isHeard = heard <= from || spoken.charactersAt(heard) > spoken.charactersAt(to);
      return isHeard ? heard : from;
    }, ms);
  }

  /** Sends what is due, and comes back when more is. */
  pump(): void {
    if (this.#isOver || this.#isHeld) return;
    const { pace } = this.#options;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const now = pace.now();
    const sentAtFirst = this.#ms(this.#sent);
    // What was late is not made up for: it would come faster than it is spoken.
    if (this.#base === undefined || (this.#chunks.length > 0 && now - this.#base > sentAtFirst))
      this.#base = now - sentAtFirst;
    const elapsed = now - this.#base;
    while (this.#chunks.length > 0 && this.#ms(this.#sent) < elapsed + LEAD_MS) {
      this.#sendNext();
      if (this.#isOver || this.#isHeld) return;
    }
    this.#tellHeard();
    if (this.#isOver || this.#isHeld) return;
    const ahead = this.#ms(this.#sent) - elapsed;
    this.#maker.onSent();
    if (this.#chunks.length > 0) this.#wakeAfter(ahead - LEAD_MS + FRAME_MS / 2);
    else if (ahead + this.#behind > 0) this.#wakeAfter(ahead + this.#behind);
    else if (this.#maker.isWhole()) this.#done();
  }

  #wakeAfter(ms: number): void {
    this.#cancelTimer = this.#options.pace.after(Math.max(1, ms), () => this.pump());
  }

  #done(): void {
    this.#isOver = true;
    this.#options.onDone();
  }

  #tellHeard(): void {
    let last: number | undefined;
    const heard = this.heardMs;
    while (this.#ends[0] && this.#ends[0].ms <= heard) last = this.#ends.shift()?.characters;
    // Of the last of all, whoever is told that it is over tells too.
    const isLast = this.#chunks.length === 0 && this.#ends.length === 0 && this.#maker.isWhole();
    if (last !== undefined && !isLast) this.#options.onHeard(last);
  }

  #sendNext(): void {
    const chunk = this.#chunks[0];
    if (!chunk) return;
    const { onAudio, onWords, rate } = this.#options;
    const from = this.#ofChunk;
    const to = Math.min(chunk.samples.length, from + (rate * FRAME_MS) / 1_000);
    const frame = chunk.samples.subarray(from, to);
    const isFirst = this.#sent === 0;
    const isLowered = this.#loweredFrom !== undefined;
    const isWhole = to >= chunk.samples.length;
    this.#ofChunk = isWhole ? 0 : to;
    if (isWhole) this.#chunks.shift();
    this.#sent += frame.length;
    const begun = isWhole ? chunk.words.splice(0) : wordsBefore(chunk.words, this.#sent);
    if (begun.length > 0)
      onWords(
        begun.map(({ delta }) => delta).join(''),
        begun.flatMap(({ word }) => word ?? []),
      );
    if (frame.length > 0) onAudio(isLowered ? lowered(frame) : frame, { isFirst, isLowered });
    if (chunk.ends !== undefined) this.#ends.push({ ms: this.#ms(this.#sent), characters: chunk.ends });
  }

  #ms(samples: number): number {
    return (samples * 1_000) / this.#options.rate;
  }
}

function wordsBefore(words: Chunk['words'], sample: number): Chunk['words'] {
  const count = words.findIndex(({ at }) => at >= sample);
  return words.splice(0, count === -1 ? words.length : count);
}

function lowered(samples: Int16Array): Int16Array {
  const soft = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index++)
    soft[index] = Math.round((samples[index] ?? 0) * LOWERED);
  return soft;
}
