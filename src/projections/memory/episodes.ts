import type { MemoryDataOf, MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { applyToFlags } from '../../folds/memory/flags.ts';

/** What was forgotten is not there any more; text is null only for a moment, between the key and the event. */
export interface Episode extends MemoryDataOf<'memory.episode.created'> {
  readonly createdAt: number;
  readonly flagged: boolean;
}

export interface Episodes {
  readonly episodes: Record<string, Episode>;
}

/** What an event means for the episodes that there are. Changes them in place; other events mean nothing here. */
export function applyToEpisodes(
  known: Episodes & Pick<Conclusions, 'conclusions'>,
  event: MemoryEvent,
  at: number,
): void {
  const { episodes } = known;
  switch (event.type) {
    case 'memory.episode.created':
      if (event.data.summary !== null)
        episodes[event.data.episodeId] = { createdAt: at, flagged: false, ...event.data };
      return;
    case 'memory.episodes.erased':
    case 'memory.episodes.expired':
      for (const { episodeId } of event.data.episodes) delete episodes[episodeId];
      return;
    case 'memory.episode.flagged':
    case 'memory.episode.unflagged':
    case 'memory.conclusion.restored':
      applyToFlags(episodes, known, event);
      return;
    case 'memory.erased':
      Object.assign(known, { episodes: {} });
  }
}
