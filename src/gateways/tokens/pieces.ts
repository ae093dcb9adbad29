export const LONGEST_RUN = 1_000;
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
