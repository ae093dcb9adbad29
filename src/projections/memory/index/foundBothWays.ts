import type { DescribedPassage, EpisodeHit, Passage, SearchRequest, SearchResult } from './documents.ts';
import { fused } from './fusion.ts';
import type { VectorHit } from './vectors/vectorIndex.ts';

interface FoundEpisode extends EpisodeHit {
  readonly matchType: 'keyword' | 'semantic';
  /** From 0 to 1, falling along the list: its place among the others, where its score says how well it answers. */
  readonly relevance: number;
}

export interface Found {
  readonly episodes: readonly FoundEpisode[];
  readonly passages: readonly Passage[];
}

/** A passage that is near to the query in meaning. */
export interface NearPassage extends DescribedPassage {
  /** From 0 at the threshold to 1 at the same meaning. */
  readonly nearness: number;
}

/** The passages that were found by meaning, the nearest first. */
export function nearPassages(
  hits: readonly VectorHit[],
  described: readonly DescribedPassage[],
  threshold: number,
): readonly NearPassage[] {
  const similarities = new Map(hits.map(({ id, similarity }) => [id, similarity]));
  return described.map((one) => {
    const above = (similarities.get(one.passage.id) ?? threshold) - threshold;
    return { ...one, nearness: threshold < 1 ? above / (1 - threshold) : 1 };
  });
}

export function foundByWords({ episodes, passages }: SearchResult): Found {
  const asFound = (hit: EpisodeHit): FoundEpisode => ({
    ...hit,
    matchType: 'keyword',
    relevance: hit.score,
  });
  return { episodes: episodes.map(asFound), passages };
}

/** One answer of what was found by words, where that was asked for, and what by meaning. */
export function foundBothWays(
  byWords: SearchResult,
  near: readonly NearPassage[],
  request: SearchRequest,
): Found {
  if (near.length === 0) return foundByWords(byWords);
  const byMeaning = episodesOf(near);
  const worded = new Map(byWords.episodes.map((hit) => [hit.episodeId, hit]));
  const meant = new Map(byMeaning.map((hit) => [hit.episodeId, hit]));
  const similar = byMeaning.map((hit) => ({ ...hit, similarity: hit.score }));
  // The best of one list alone is as good as it can be.
  const scale = byWords.episodes.length === 0 ? 2 : 1;
  const episodes = fused(byWords.episodes, similar, request.now).flatMap((hit): FoundEpisode[] => {
    const [word, meaning] = [worded.get(hit.episodeId), meant.get(hit.episodeId)];
    const shown = hit.matchType === 'keyword' ? (word ?? meaning) : (meaning ?? word);
    if (!shown) return [];
    const score = Math.max(word?.score ?? 0, meaning?.score ?? 0);
    const { matchType } = hit;
    return [{ ...shown, score, matchType, relevance: Math.min(1, scale * hit.score) }];
  });
  return { episodes: episodes.slice(0, request.limit), passages: passagesOf(byWords, near, request) };
}

function episodesOf(near: readonly NearPassage[]): readonly EpisodeHit[] {
  const hits = new Map<string, EpisodeHit>();
  for (const { passage, episode, nearness: score } of near) {
    const { episodeId } = passage;
    if (!hits.has(episodeId)) hits.set(episodeId, { episodeId, score, ...episode, best: passage });
  }
  return [...hits.values()];
}

/** What both found counts for both. */
function passagesOf(
  { passages }: SearchResult,
  near: readonly NearPassage[],
  { passages: most = 0 }: SearchRequest,
): readonly Passage[] {
  const all = new Map(passages.map((passage) => [passage.id, passage]));
  for (const { passage, nearness } of near) {
    const earlier = all.get(passage.id);
    const score = nearness * passage.score + (earlier?.score ?? 0);
    all.set(passage.id, { ...(earlier ?? passage), score });
  }
  return [...all.values()].sort((one, other) => other.score - one.score).slice(0, most);
}
