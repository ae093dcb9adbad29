import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from './conclusions.ts';

/** What an event means for which episodes a sweep has flagged. Changes them in place; other events mean nothing here. */
export function applyToFlags<Episode extends { readonly flagged: boolean }>(
  episodes: Record<string, Episode>,
  { conclusions }: Pick<Conclusions, 'conclusions'>,
  event: MemoryEvent,
): void {
  if (event.type === 'memory.episode.flagged') flag(episodes, event.data.episodeId, true);
  if (event.type === 'memory.episode.unflagged') flag(episodes, event.data.episodeId, false);
  if (event.type === 'memory.conclusion.restored')
    for (const source of conclusions[event.data.conclusionId]?.sources ?? []) flag(episodes, source, false);
}

function flag<Episode extends { readonly flagged: boolean }>(
  episodes: Record<string, Episode>,
  id: string,
  flagged: boolean,
): void {
  const episode = episodes[id];
  if (episode && episode.flagged !== flagged) episodes[id] = { ...episode, flagged };
}
