import { movedBy, placesIn, SpokenText } from './heard.ts';
import { type Chunk, PacedSpeech, type PacedSpeechOptions } from './pacedSpeech.ts';
import { SentenceCutter, type SpokenSentence } from './sentences.ts';
import { speakable } from './speakable.ts';
import type { WordsIntoSpeech } from './speech.ts';

interface MouthOptions extends PacedSpeechOptions {
  readonly speech: WordsIntoSpeech;
  readonly voice?: string | undefined;
  readonly speed?: number | undefined;
  readonly language?: string | undefined;
  /** A sentence has no speech: it is told as text alone. */
  readonly onFailure: (error: unknown) => void;
  /** The first sentence is there. */
  readonly onSentence?: (() => void) | undefined;
  /** How long a sentence took to its first samples. */
  readonly onSynthesis?: ((ms: number) => void) | undefined;
}

/** So much is made before it is sent. */
const AHEAD_MS = 6_000;
const nothing = new Int16Array();

/** Says one reply while it is written: sentence for sentence, in order, each made ahead of time and sent when it is due. */
export class Mouth {
  readonly #options: MouthOptions;
  readonly #spoken = new SpokenText();
  readonly #cutter = new SentenceCutter();
  readonly #sentences: SpokenSentence[] = [];
  readonly #paced: PacedSpeech;
  readonly #abort = new AbortController();
  #isMaking = false;
  #isWritten = false;
  #wakeMaker: (() => void) | undefined;

  constructor(options: MouthOptions) {
    this.#options = options;
    this.#paced = new PacedSpeech(options, {
      spoken: this.#spoken,
      isWhole: () => this.#isWritten && !this.#isMaking && this.#sentences.length === 0,
      onSent: () => {
        if (this.#paced.aheadMs < AHEAD_MS) this.#wakeMaker?.();
      },
    });
  }

  say(text: string): void {
    this.#add(this.#cutter.push(text));
  }

  /** Beside the reply: no part of its text. */
  sayAside(text: string): void {
    this.flush();
    const at = this.#cutter.position;
    this.#add([{ text, from: at, to: at }]);
  }

  /** Nothing more comes for a while: what is there is said. */
  flush(): void {
    this.#add(this.#cutter.end());
  }

  finish(): void {
    this.#isWritten = true;
    this.flush();
    this.#paced.pump();
  }

  lower(): void {
    this.#paced.lower();
  }

  raise(): void {
    this.#paced.raise();
  }

  /** Nothing is sent until it is released. */
  hold(): void {
    this.#paced.hold();
  }

  release(): void {
    this.#paced.release();
  }

  /** Nothing more is sent or made. */
  stop(): void {
    if (this.#paced.isOver) return;
    this.#paced.stop();
    this.#abort.abort();
    this.#wakeMaker?.();
  }

  /** What the client says that it has played so far. */
  played(ms: number): void {
    this.#paced.played(ms);
  }

  get heardMs(): number {
    return this.#paced.heardMs;
  }

  heardBefore(ms: number): number {
    return this.#paced.heardBefore(ms);
  }

  get heardCharacters(): number {
    return this.#spoken.charactersAt(this.heardMs);
  }

  #add(sentences: readonly SpokenSentence[]): void {
    if (this.#paced.isOver) return;
    this.#sentences.push(...sentences);
    if (!this.#isMaking) void this.#make();
  }

  async #make(): Promise<void> {
    this.#isMaking = true;
    const isOver = () => this.#paced.isOver;
    for (let next = this.#sentences.shift(); next && !isOver(); next = this.#sentences.shift()) {
      await this.#makeSentence(next);
      await this.#roomAhead();
    }
    this.#isMaking = false;
    this.#paced.pump();
  }

  async #makeSentence({ text, from, to }: SpokenSentence): Promise<void> {
    const { speech, pace, rate, voice, speed, language, onFailure, onSynthesis } = this.#options;
    const paced = this.#paced;
    const said = speakable(text, language);
    const begunAt = paced.made;
    const begunMs = this.#ms(begunAt);
    this.#spoken.begin(from, to, begunMs);
    const place = placesIn(text);
    let told = 0;
    const askedAt = pace.now();
    if (begunAt === 0) this.#options.onSentence?.();
    try {
      if (said !== '') {
        const { signal } = this.#abort;
        const pieces = speech.speak(said, { rate, voice, speed, language, signal });
        for await (const { samples, words } of pieces) {
          if (paced.isOver) return;
          if (paced.made === begunAt) onSynthesis?.(pace.now() - askedAt);
          const placed: Chunk['words'] = words.map((word) => {
            const end = place(word.word);
            const delta = text.slice(told, Math.max(told, end));
            told = Math.max(told, end);
            const moved = movedBy(word, begunMs);
            this.#spoken.word({ endMs: moved.end * 1_000, to: Math.min(to, from + told) });
            return { at: begunAt + Math.round(word.start * rate), delta, word: moved };
          });
          paced.add({ samples, words: placed, ends: undefined });
          await this.#roomAhead();
        }
      }
    } catch (error) {
      if (paced.isOver) return;
      onFailure(error);
    }
    if (paced.isOver) return;
    this.#spoken.end(this.#ms(paced.made));
    const rest = text.slice(told);
    const words = rest === '' ? [] : [{ at: paced.made, delta: rest, word: undefined }];
    paced.add({ samples: nothing, words, ends: to });
  }

  async #roomAhead(): Promise<void> {
    while (!this.#paced.isOver && this.#paced.aheadMs > AHEAD_MS) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wakeMaker = resolve;
      await promise;
    }
  }

  #ms(samples: number): number {
    return (samples * 1_000) / this.#options.rate;
  }
}
