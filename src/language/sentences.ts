/** A piece of a text and where it stands. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** After these a full stop ends no sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|jr|sr|vs|etc|e\.g|i\.e|approx|dept|no|inc|ltd|co|corp|gen|gov|rev|mt|z\.b|bzw|ca|nr|str|\p{L})\.$/iu;
/** From where a run of signs begins, or a long one would be looked through from each of them. */
const ENDS = /(?<![.!?…])[.!?…]+["'”’)\]]*(?=\s|$)|\n+|[。！？]+/gu;

/** The sentences of a text, without the white space around them. A line break ends one. */
export function sentencesOf(text: string): readonly Sentence[] {
  const found: Sentence[] = [];
  let from = 0;
  for (const end of text.matchAll(ENDS)) {
    const until = end.index + end[0].length;
    if (end[0] === '.' && isInside(text, from, until)) continue;
    push(found, text, from, until);
    from = until;
  }
  push(found, text, from, text.length);
  return found;
}

function isInside(text: string, from: number, until: number): boolean {
  const before = text.slice(Math.max(from, until - 12), until);
  return ABBREVIATION.test(before) && !/\bI\.$/.test(before) && /^\s+\S/.test(text.slice(until, until + 3));
}

function push(found: Sentence[], text: string, from: number, until: number): void {
  const piece = text.slice(from, until);
  const trimmed = piece.trim();
  if (!/[\p{L}\p{N}]/u.test(trimmed)) return;
  const start = from + piece.indexOf(trimmed);
  found.push({ text: trimmed, start, end: start + trimmed.length });
}
