import { conceptsOf, worthOf } from './concepts.ts';
import type { Corpus } from './corpus.ts';
import type { DescribedPassage, SearchRequest } from './documents.ts';
import { parseQuery } from './query.ts';
import { REPEATED, toPassage } from './searching.ts';

/** What the documents of these ids say, in the order of the ids; those that are not there are left out. */
export function describePassages(
  corpus: Corpus,
  ids: readonly string[],
  { query, now }: Pick<SearchRequest, 'query' | 'now'>,
): readonly DescribedPassage[] {
  const worth = worthOf(conceptsOf(parseQuery(query, now), corpus), corpus);
  return ids.flatMap((id) => {
    const number = corpus.numberOf(id);
    if (number === undefined) return [];
    const { at = 0, importance = 0, members = [] } = corpus.episodes[corpus.episodeOf(number)] ?? {};
    const isRepeated = corpus.documents[number]?.kind === 'episode' && members.length > 1;
    const passage = toPassage(corpus, number, isRepeated ? REPEATED : 1, worth);
    return [{ passage, episode: { at, importance } }];
  });
}
