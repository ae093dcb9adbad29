import type { Corpus } from './corpus.ts';
import { describePassages } from './describing.ts';
import { ownerOf, type SearchRequest, type SearchResult } from './documents.ts';
import { type Found, foundBothWays, foundByWords, nearPassages } from './foundBothWays.ts';
import { searchCorpus } from './searching.ts';
import type { VectorHit } from './vectors/vectorIndex.ts';

/** By places, two lists can only be joined where both go deep enough. */
const LEAST_EPISODES = 40;
/** Of searches that nobody finishes. */
const MOST_BEGUN = 64;
const NOTHING: SearchResult = { episodes: [], passages: [] };

/** What was found by what the query means. */
export interface Meant {
  /** The nearest first. */
  readonly hits: readonly VectorHit[];
  readonly threshold: number;
  /** Nothing else is wanted, and nothing can be found by its words only. */
  readonly isEnough: boolean;
}

/** What was found by words, while a model is being asked what the query means. */
export class BegunSearches {
  readonly #begun = new Map<number, { readonly key: string; readonly byWords: SearchResult }>();

  begin(search: number, key: string, corpus: Corpus, request: SearchRequest): void {
    this.#begun.set(search, { key, byWords: deeply(corpus, request) });
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > MOST_BEGUN && oldest !== undefined) this.#begun.delete(oldest);
  }

  /** Something of this index went: none of it may be told. */
  forget(key: string): void {
    for (const [search, begun] of this.#begun) if (begun.key === key) this.#begun.delete(search);
  }

  finish(search: number, key: string, corpus: Corpus, request: SearchRequest, meant?: Meant): Found {
    const begun = this.#begun.get(search);
    this.#begun.delete(search);
    const byWords = begun?.key === key ? begun.byWords : deeply(corpus, request);
    return cut(meant ? bothWays(corpus, byWords, request, meant) : foundByWords(byWords), request.limit);
  }
}

function deeply(corpus: Corpus, request: SearchRequest): SearchResult {
  return searchCorpus(corpus, { ...request, limit: deepOf(request) });
}

function deepOf({ limit }: SearchRequest): number {
  return Math.max(LEAST_EPISODES, limit);
}

function bothWays(
  corpus: Corpus,
  byWords: SearchResult,
  request: SearchRequest,
  { hits, threshold, isEnough }: Meant,
): Found {
  const { passages = 0 } = request;
  const wanted = (passages > 0 ? hits : bestOfEpisodes(hits)).slice(0, Math.max(passages, deepOf(request)));
  const ids = wanted.map(({ id }) => id);
  const near = nearPassages(wanted, describePassages(corpus, ids, request), threshold);
  return foundBothWays(isEnough ? NOTHING : byWords, near, request);
}

/** Where no other passage is wanted. */
function bestOfEpisodes(hits: readonly VectorHit[]): readonly VectorHit[] {
  const seen = new Set<string>();
  return hits.filter(({ id }) => {
    const episodeId = ownerOf(id);
    return !seen.has(episodeId) && seen.add(episodeId);
  });
}

function cut(found: Found, limit: number): Found {
  return { ...found, episodes: found.episodes.slice(0, limit) };
}
