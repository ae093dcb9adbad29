import type { IndexDocument } from './documents.ts';

/** As in a transcript: "Anna: …", "Mary Ann: …". */
const NAMED = /^(\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}): (?=\S)/u;
const LONGEST_NAME = 40;

/** Who says what: by the name that a turn came with, or the one that its text begins with. */
export function spoken({ kind, speaker, text }: IndexDocument): {
  readonly speaker: string | undefined;
  readonly said: string;
} {
  const [before = '', name] = (speaker === undefined && kind === 'turn' && NAMED.exec(text)) || [];
  if (name === undefined || name.length > LONGEST_NAME) return { speaker, said: text };
  return { speaker: name, said: text.slice(before.length) };
}
