import { sentencesOf } from '../../../language/sentences.ts';
import { folded, termOf, wordsOf } from './terms.ts';

const LONGEST = 320;

/** The part of a text that has most of the terms: whole sentences, as many as there is room for. */
export function excerptOf(text: string, terms: readonly string[], longest = LONGEST): string {
  if (text.length <= longest) return text;
  const wanted = new Set(terms);
  const sentences = sentencesOf(text);
  const has = sentences.map((sentence) => {
    const found = wordsOf(folded(sentence.text)).flatMap((word) => termOf(word) ?? []);
    return new Set(found.filter((term) => wanted.has(term))).size;
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
