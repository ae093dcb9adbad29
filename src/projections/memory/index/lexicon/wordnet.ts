import { readFileSync } from 'node:fs';

/** Made by scripts/relatedWords.ts; it begins with the licence. */
const table = readFileSync(new URL('wordnet.txt', import.meta.url), 'utf8');
const lines = new Map<string, string>(
  table
    .slice(table.indexOf('\n\n') + 2)
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf(' ')), line]),
);

/** What WordNet brings together with this term, each with how much that counts; the most first. */
export function* inWordNet(term: string): Generator<readonly [term: string, weight: number]> {
  const line = lines.get(term);
  if (line === undefined) return;
  let weight = 0;
  for (const other of line.slice(term.length + 1).split(' '))
    if (other.length === 1) weight = Number(other) / 10;
    else yield [other, weight];
}
