import { linesOf } from './tables.ts';

/** Made by scripts/lexicon/generate.ts. */
const lines = new Map(linesOf('wordnet').map((line) => [line.slice(0, line.indexOf(' ')), line]));

/** What WordNet brings together with this term, each with how much that counts; the most first. */
export function* inWordNet(term: string): Generator<readonly [term: string, weight: number]> {
  const line = lines.get(term);
  if (line === undefined) return;
  let weight = 0;
  for (const other of line.slice(term.length + 1).split(' '))
    if (other.length === 1) weight = Number(other) / 10;
    else yield [other, weight];
}
