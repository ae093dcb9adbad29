import type { TimedWord } from './speech.ts';

/** A word of a reply: where it ends in the audio, and in the text. */
export interface PlacedWord {
  readonly endMs: number;
  readonly to: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly startMs: number;
  /** Undefined while the rest of it is still being made. */
  endMs: number | undefined;
  readonly words: PlacedWord[];
}

/** Which part of a reply's text lies where in its audio: what was played says what was heard. */
export class SpokenText {
  readonly #spans: Span[] = [];

  begin(from: number, to: number, startMs: number): void {
    this.#spans.push({ from, to, startMs, endMs: undefined, words: [] });
  }

  word(word: PlacedWord): void {
    this.#spans.at(-1)?.words.push(word);
  }

  end(endMs: number): void {
    const span = this.#spans.at(-1);
    if (span) span.endMs = endMs;
  }

  /** So many characters of the reply are heard by whoever heard so much of its audio: whole words only. */
  charactersAt(ms: number): number {
    let heard = 0;
    for (const { from, to, startMs, endMs, words } of this.#spans) {
      if (endMs !== undefined && ms >= endMs) {
        heard = to;
        continue;
      }
      if (ms <= startMs) return heard;
      let end = from;
      for (const word of words) if (word.endMs <= ms) end = Math.max(end, word.to);
      return Math.max(heard, end);
    }
    return heard;
  }
}

/** How far a word may be from where it is looked for: marks and addresses lie between. */
const NEAR = 60;

/**
 * Where each spoken word ends in the text that it was made of, with the marks behind it. Words that the text has otherwise
 * (`20` where `twenty` is said) end where the one before did.
 */
export function placesIn(text: string): (word: string) => number {
  const lower = text.toLowerCase();
  let cursor = 0;
  return (word) => {
    const bare = word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    if (bare === '') return cursor;
    const at = lower.indexOf(bare, cursor);
    if (at === -1 || at - cursor > NEAR) return cursor;
    cursor = at + bare.length;
    while (cursor < text.length && !/\s/.test(text.charAt(cursor))) {
      if (/[\p{L}\p{N}]/u.test(text.charAt(cursor))) break;
      cursor++;
    }
    return cursor;
  };
}

export function movedBy(word: TimedWord, ms: number): TimedWord {
  const seconds = ms / 1_000;
  return { ...word, start: word.start + seconds, end: word.end + seconds };
}
