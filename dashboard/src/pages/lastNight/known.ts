import { useMemo } from 'preact/hooks';
import type { Output } from '../../api/ask.ts';
import { useResource } from '../../api/resource.ts';
import { asItWas } from '../../state/moment.ts';
import type { Issue } from './changes.tsx';

type Conclusion = Output<'GET /api/memory/conclusions'>['conclusions'][number];
type Episode = Output<'GET /api/memory/episodes'>['episodes'][number];

/** By id, what there is now. */
export interface Known {
  readonly conclusions: ReadonlyMap<string, Conclusion>;
  readonly episodes: ReadonlyMap<string, Episode>;
}

const topics = ['memory.*'];

/** A report names ids alone: what they say is read beside it, and what is not there any more was erased. */
export function useKnown(): Known | undefined {
  const past = asItWas();
  const active = useResource('GET /api/memory/conclusions', { status: 'active', ...past }, topics);
  const pruned = useResource('GET /api/memory/conclusions', { status: 'pruned', ...past }, topics);
  const merged = useResource('GET /api/memory/conclusions', { status: 'merged', ...past }, topics);
  const recent = useResource('GET /api/memory/episodes', { limit: 100 }, topics);
  const all = [active, pruned, merged].map(({ data }) => data.value?.conclusions);
  const { value: episodes } = recent.data;
  return useMemo(() => {
    if (all.includes(undefined)) return undefined;
    return {
      conclusions: new Map(all.flatMap((some = []) => some.map((one) => [one.id, one] as const))),
      episodes: new Map((episodes?.episodes ?? []).map((one) => [one.id, one] as const)),
    };
  }, [...all, episodes]);
}

/** Whether what a sweep did is still so: what was taken back or changed since cannot be taken back. */
export function isStillSo(
  { action, type, conclusionId = '', episodeId = '', otherId = '', to }: Issue,
  { conclusions, episodes }: Known,
): boolean {
  if (type === 'orphan') return episodes.get(episodeId)?.flagged ?? false;
  const now = conclusions.get(conclusionId);
  if (!now) return false;
  if (action === 'pruned') return now.status === 'pruned';
  if (action === 'merged') return now.supersededBy === otherId;
  if (type === 'decay') return now.confidence === to;
  if (type === 'contradiction') return now.contradicts.includes(otherId);
  return action === 'flagged' && now.stale;
}
