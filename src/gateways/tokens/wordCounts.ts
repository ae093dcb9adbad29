import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';

/** What looks like a special token is text like any other. */
const asText = { disallowedSpecial: new Set<string>() };
const LETTER = /\p{L}/u;
/** Longer ones seldom come again. */
const LONGEST_REMEMBERED = 40;
const REMEMBERED = 10_000;

// Words are remembered here, with their counts.
setMergeCacheSize(0);

/**
 * Counts word by word: no token goes on over a space that follows a letter, and most words of a text were counted
 * before. What was remembered first goes all at once, since a map is slow from which one is taken for each that comes.
 */
export class WordCounts {
  #lately = new Map<string, number>();
  #before: ReadonlyMap<string, number> = new Map();

  count(text: string): number {
    let total = 0;
    let from = 0;
    for (let space = text.indexOf(' ', 1); space !== -1; space = text.indexOf(' ', space + 1)) {
      if (!isLetter(text, space - 1)) continue;
      total += this.#countWord(text.slice(from, space));
      from = space;
    }
    return total + this.#countWord(text.slice(from));
  }

  #countWord(word: string): number {
    const cached = this.#lately.get(word);
    if (cached !== undefined) return cached;
    const count = this.#before.get(word) ?? counted(word);
    if (word.length <= LONGEST_REMEMBERED) this.#remember(word, count);
    return count;
  }

  #remember(word: string, count: number): void {
    this.#lately.set(word, count);
    if (this.#lately.size < REMEMBERED) return;
    this.#before = this.#lately;
    this.#lately = new Map();
  }
}

function counted(text: string): number {
  if (text.length < LONGEST_RUN) return countTokens(text, asText);
  return pieces(text).reduce((sum, piece) => sum + countTokens(piece, asText), 0);
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 0x20;
  return (code >= 0x61 && code <= 0x7a) || (code > 0x7f && LETTER.test(text.charAt(at)));
}

const LONGEST_RUN = 1_000;
const RUN = new RegExp(`\\S{${LONGEST_RUN}}|\\s{${LONGEST_RUN}}`, 'g');

/**
 * Cuts a text where it has no break between words for long, since counting takes the square of the length of such a
 * run: 100,000 times the same letter would take seconds. Each cut may make one token more than there would be.
 */
export function pieces(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(RUN)) {
    found.push(text.slice(from, index + LONGEST_RUN));
    from = index + LONGEST_RUN;
  }
  return [...found, text.slice(from)];
}
