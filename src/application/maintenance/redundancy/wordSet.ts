/** The words of a text, each once. Where there is no word, it is the text itself. */
export function wordSet(text: string): readonly string[] {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words ? [...new Set(words)] : [text];
}

const DENIALS: ReadonlySet<string> = new Set(
  'not no never none neither nor nothing nobody nowhere without cannot t'.split(' '),
);

/**
 * What must not differ between two texts that say the same, however much else they share: whether it is denied, and
 * every number. What differs in that is rather a contradiction.
 */
export function decisiveWords(words: readonly string[]): string {
  const isDenied = words.some((word) => DENIALS.has(word));
  const numbers = words.filter((word) => /^\p{N}/u.test(word)).sort();
  return `${isDenied} ${numbers.join(' ')}`;
}
