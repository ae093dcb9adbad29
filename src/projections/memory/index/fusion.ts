import type { EpisodeHit } from './documents.ts';

/** As it is usually set: the first places differ little, so that one list cannot outvote the other. */
const DAMPING = 60;
const DAY = 86_400_000;
/* Bounded biases. */
const RECENT = 0.05;
const RECENT_DAYS = 30;
const IMPORTANT = 0.05;

export interface FusedHit {
  readonly episodeId: string;
  /** From 0 to 1: 1 is first in both lists. */
  readonly score: number;
  readonly matchType: 'keyword' | 'semantic';
}

interface SemanticHit {
  readonly episodeId: string;
  readonly similarity: number;
  readonly at: number;
  readonly importance: number;
}

/**
 * One list of what was found by words and what by meaning, both best first. By places, since scores of two kinds
 * cannot be compared; how recent and how important an episode is decides between those that are close.
 */
export function fused(
  byWords: readonly EpisodeHit[],
  byMeaning: readonly SemanticHit[],
  now: number,
): readonly FusedHit[] {
  const found = new Map<string, { keyword: number; semantic: number; bias: number }>();
  const enter = (
    kind: 'keyword' | 'semantic',
    hits: readonly Pick<SemanticHit, 'episodeId' | 'at' | 'importance'>[],
  ) => {
    const seen = new Set<string>();
    for (const hit of hits) {
      if (seen.has(hit.episodeId)) continue;
      const entry = found.get(hit.episodeId) ?? { keyword: 0, semantic: 0, bias: biasOf(hit, now) };
      entry[kind] = (DAMPING + 1) / (DAMPING + 1 + seen.size);
      seen.add(hit.episodeId);
      found.set(hit.episodeId, entry);
    }
  };
  enter('keyword', byWords);
  enter('semantic', byMeaning);
  const highest = 2 * (1 + RECENT + IMPORTANT);
  return Array.from(
    found,
    ([episodeId, { keyword, semantic, bias }]): FusedHit => ({
      episodeId,
      score: ((keyword + semantic) * (1 + bias)) / highest,
      matchType: semantic > keyword ? 'semantic' : 'keyword',
    }),
  ).sort((one, other) => other.score - one.score);
}

function biasOf(
  { at, importance }: { readonly at: number; readonly importance: number },
  now: number,
): number {
  const age = Math.max(0, now - at) / DAY;
  return RECENT * 2 ** (-age / RECENT_DAYS) + IMPORTANT * Math.min(1, Math.max(0, importance || 0));
}
