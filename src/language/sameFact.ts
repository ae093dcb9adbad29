import { isDenied } from './denial.ts';
import { stem, stemsOf } from './words.ts';

export interface ComparableFact {
  readonly text: string;
  readonly slot?: string | undefined;
  readonly value?: string | undefined;
  readonly negated?: boolean | undefined;
}

const NEARLY_ALL = 0.85;

/** Whether two facts say the same, so that the second strengthens the first. In doubt they do not. */
export function sameFact(one: ComparableFact, other: ComparableFact): boolean {
  if ((one.negated ?? isDenied(one.text)) !== (other.negated ?? isDenied(other.text))) return false;
  if (one.slot !== undefined && other.slot !== undefined) {
    return one.slot === other.slot && sameWords(one.value ?? one.text, other.value ?? other.text);
  }
  return sameWords(one.text, other.text);
}

/** The same stems; or nearly all of many, when no number and no name differs. */
function sameWords(one: string, other: string): boolean {
  const [first, second] = [new Set(wordsOf(one)), new Set(wordsOf(other))];
  const shared = first.intersection(second).size;
  const all = first.union(second).size;
  if (all === 0) return one.trim().toLowerCase() === other.trim().toLowerCase();
  if (shared === all) return true;
  const different = Array.from(first.symmetricDifference(second));
  if (different.some((word) => /\d/.test(word))) return false;
  return all >= 7 && shared / all >= NEARLY_ALL;
}

function wordsOf(text: string): readonly string[] {
  return stemsOf(text.replace(/^the user(?:'s)?\b/i, '').normalize('NFKC'));
}

/**
 * By which facts that differ in the forms of their words, articles and signs alone are one. The order of the words
 * counts: who moved from Oslo to Bergen did not move from Bergen to Oslo. Where there is no word, it is the text.
 */
export function factKey(text: string): string {
  const bare = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b(?:is|are|am) (?=\p{L}+ing\b)/gu, '');
  const words = bare.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !/^(?:an?|the)$/.test(word));
  return words && words.length > 0 ? words.map(stem).join(' ') : text;
}
