import { sentencesOf } from '../../../language/sentences.ts';
import { folded, wordsOf } from './terms.ts';

const LONGEST = 320;

/** What a word of a text is worth, 0 where it is not what was asked for; words for the same thing have the same place. */
export type Worth = (word: string) => { readonly place: number; readonly worth: number } | undefined;

/** The part of a text that has most of what was asked for: whole sentences, as many as there is room for. */
export function excerptOf(text: string, worthOf: Worth, longest = LONGEST): string {
  if (text.length <= longest) return text;
  const sentences = sentencesOf(text);
  const has = sentences.map((sentence) => {
    const found = new Map<number, number>();
    for (const word of wordsOf(folded(sentence.text))) {
      const { place = 0, worth = 0 } = worthOf(word) ?? {};
      if (worth > (found.get(place) ?? 0)) found.set(place, worth);
    }
    return found.values().reduce((sum, worth) => sum + worth, 0);
  });
  let first = has.indexOf(Math.max(...has));
  let last = first;
  const [start, end] = [() => sentences[first]?.start ?? 0, () => sentences[last]?.end ?? text.length];
  for (let grown = true; grown; ) {
    grown = false;
    const next = sentences[last + 1];
    if (next && next.end - start() <= longest) {
      last++;
      grown = true;
    }
    const previous = sentences[first - 1];
    if (previous && end() - previous.start <= longest) {
      first--;
      grown = true;
    }
  }
  return shortened(text.slice(start(), end()), longest);
}

/** Not in the midst of a character. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
