import { readFileSync } from 'node:fs';

/** The lines of a table in `data`. What it holds, and under which licence, stands before its first empty line. */
export function linesOf(table: 'associations' | 'kinds' | 'synonyms' | 'wordnet'): readonly string[] {
  const text = readFileSync(new URL(`data/${table}.txt`, import.meta.url), 'utf8');
  return text
    .slice(text.indexOf('\n\n') + 2)
    .trimEnd()
    .split('\n');
}
