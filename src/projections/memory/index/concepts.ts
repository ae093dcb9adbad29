import type { Corpus } from './corpus.ts';
import type { Worth } from './excerpt.ts';
import { relatedTerms } from './lexicon/relatedTerms.ts';
import type { ParsedQuery, QueryTerm } from './query.ts';
import { termOf } from './terms.ts';

const SIMILAR_WEIGHT = 0.3;
const BEGINNING_WEIGHT = 0.7;
const MOST_ALTERNATIVES = 12;
const SHORTEST_LIKENESS = 4;

/** What is wanted, as terms that the corpus has. */
export interface Concept {
  readonly term: number | undefined;
  readonly weight: number;
  /** How much it tells that a document has it. */
  readonly rarity: number;
  readonly alternatives: readonly Alternative[];
}

interface Alternative {
  readonly term: number;
  /** Beside 1 of the term itself. */
  readonly weight: number;
}

export function conceptsOf(query: ParsedQuery, corpus: Corpus): readonly Concept[] {
  return query.wanted.map((wanted) => {
    const term = corpus.vocabulary.termNumber(wanted.term);
    const own = term === undefined ? [] : [{ term, weight: 1 }];
    const alternatives = [...own, ...othersFor(wanted, query, corpus, term !== undefined)];
    const total = corpus.documents.length;
    const spread = term === undefined ? usualSpread(alternatives, corpus) : corpus.postings.spread(term);
    return { term, weight: wanted.weight, rarity: rarityOf(spread, total), alternatives };
  });
}

/** What each word of a document is worth to who wants these. */
export function worthOf(concepts: readonly Concept[], corpus: Corpus): Worth {
  const worths = new Map<number, { readonly place: number; readonly worth: number }>();
  for (const [place, { alternatives, weight }] of concepts.entries())
    for (const { term, weight: share } of alternatives) {
      const worth = weight * share;
      if (worth > (worths.get(term)?.worth ?? 0)) worths.set(term, { place, worth });
    }
  return (word) => worths.get(corpus.vocabulary.termOfWord(word) ?? -1);
}

/** The inverse document frequency of BM25, never below 0. */
export function rarityOf(spread: number, total: number): number {
  return Math.log(1 + (total - spread + 0.5) / (spread + 0.5));
}

function usualSpread(alternatives: readonly Alternative[], corpus: Corpus): number {
  return Math.max(0, ...alternatives.map(({ term }) => corpus.postings.spread(term)));
}

function othersFor(
  { word, term }: QueryTerm,
  { beginning }: ParsedQuery,
  corpus: Corpus,
  isKnown: boolean,
): readonly Alternative[] {
  const found = new Map<number, number>();
  const offer = (other: string, weight: number) => {
    const number = corpus.vocabulary.termNumber(other);
    if (number !== undefined && other !== term && !found.has(number)) found.set(number, weight);
  };
  for (const [other, weight] of relatedTerms(term)) offer(other, weight);
  if (word === beginning)
    for (const other of corpus.vocabulary.beginningWith(word, MOST_ALTERNATIVES))
      offer(other, BEGINNING_WEIGHT);
  if (!isKnown) for (const other of alike(term, corpus)) offer(other, SIMILAR_WEIGHT);
  return Array.from(found, ([number, weight]) => ({ term: number, weight })).sort(
    (one, other) => other.weight - one.weight,
  );
}

/** Terms of the same beginning, as "allergic" and "allergy", or with one letter mistyped at the end. */
function alike(term: string, corpus: Corpus): readonly string[] {
  const shared = Math.max(SHORTEST_LIKENESS, term.length - 3);
  if (term.length <= SHORTEST_LIKENESS || termOf(term) === undefined) return [];
  return corpus.vocabulary
    .beginningWith(term.slice(0, shared), 4 * MOST_ALTERNATIVES)
    .filter((other) => Math.abs(other.length - term.length) <= 3);
}
