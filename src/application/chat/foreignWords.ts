import { cut } from './toolOutput.ts';

const LONGEST = 1_000;

/** What a foreign server says, in marks that it cannot leave: it may write as if it were hark, or the user. */
export function inMarks(text: string): string {
  const plain = cut(text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), LONGEST);
  return `«${plain.replaceAll(/[«»]/g, '"')}»`;
}
