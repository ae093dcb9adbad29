import type { WordTime } from './wordTimes.ts';

/** A word lasts so long at least, and at most so long after its last piece began. */
const LEAST_SECONDS = 0.05;
const LAST_PIECE_SECONDS = 0.25;

interface Tokens {
  readonly tokens: readonly string[];
  /** When each begins. */
  readonly timestamps: readonly number[];
  /** Logarithms of how sure it is of each, where it says. */
  readonly probabilities?: readonly number[];
}

/**
 * Words of the pieces that a model understands: a new one begins where a piece begins with a space, or `▁`, which stands
 * for one. Scripts without spaces have a word a piece.
 */
export function tokenWords({ tokens, timestamps, probabilities = [] }: Tokens): readonly WordTime[] {
  if (timestamps.length < tokens.length) return [];
  const begins = (token: string) => /^[\s▁]/u.test(token);
  const hasSpaces = tokens.some(begins);
  const words: { word: string; start: number; last: number; logarithms: number[] }[] = [];
  for (const [at, token] of tokens.entries()) {
    const start = timestamps[at] ?? 0;
    const text = token.replaceAll(/[\s▁]/gu, '');
    const word = words.at(-1);
    if (!word || (hasSpaces ? begins(token) : true)) {
      words.push({ word: text, start, last: start, logarithms: [probabilities[at] ?? 0] });
      continue;
    }
    word.word += text;
    word.last = start;
    word.logarithms.push(probabilities[at] ?? 0);
  }
  return words
    .map(({ word, start, last, logarithms }, at) => {
      const next = words[at + 1]?.start ?? Number.POSITIVE_INFINITY;
      const end = Math.max(start + LEAST_SECONDS, Math.min(next, last + LAST_PIECE_SECONDS));
      const mean = logarithms.reduce((sum, one) => sum + one, 0) / logarithms.length;
      return { word, start, end: rounded(end), confidence: rounded(Math.min(1, Math.exp(mean))) };
    })
    .filter(({ word }) => word !== '');
}

function rounded(number: number): number {
  return Math.round(number * 1_000) / 1_000;
}
