import { type AskOptions, ask, type Output } from '../../api/ask.ts';
import { type Resource, useRead } from '../../api/resource.ts';
import { type Episode, MOST_EPISODES, newestEpisodes } from '../../state/episodes.ts';
import { asItWas } from '../../state/moment.ts';
import type { Issue } from './changes.tsx';

type Conclusion = Output<'GET /api/memory/conclusions'>['conclusions'][number];

/** By id, what there is at the moment that is shown. */
export interface Known {
  readonly conclusions: ReadonlyMap<string, Conclusion>;
  readonly episodes: ReadonlyMap<string, Episode>;
}

/** A report names ids alone: what they say is read beside it, and what is not there any more was erased. */
export function useKnown(): Resource<Known> {
  const past = asItWas();
  return useRead(JSON.stringify(past), (signal) => knownIn(past, { signal }), ['memory.*']);
}

async function knownIn(past: { readonly at?: number }, options: AskOptions): Promise<Known> {
  const [episodes, ...conclusions] = await Promise.all([
    newestEpisodes(past, options),
    ...(['active', 'pruned', 'merged'] as const).map(
      async (status) => (await ask('GET /api/memory/conclusions', { status, ...past }, options)).conclusions,
    ),
  ]);
  return { conclusions: byId(conclusions.flat()), episodes: byId(episodes) };
}

function byId<One extends { readonly id: string }>(all: readonly One[]): ReadonlyMap<string, One> {
  return new Map(all.map((one) => [one.id, one]));
}

/** Whether what a sweep did is still so: what was taken back or changed since cannot be taken back. */
export function isStillSo(
  { action, type, conclusionId = '', episodeId = '', otherId = '', to }: Issue,
  { conclusions, episodes }: Known,
): boolean {
  // One that is older than all that were read may be there still.
  if (type === 'orphan') return episodes.get(episodeId)?.flagged ?? episodes.size >= MOST_EPISODES;
  const now = conclusions.get(conclusionId);
  if (!now) return false;
  if (action === 'pruned') return now.status === 'pruned';
  if (action === 'merged') return now.supersededBy === otherId;
  if (type === 'decay') return now.confidence === to;
  if (type === 'contradiction') return now.contradicts.includes(otherId);
  return action === 'flagged' && now.stale;
}
