import type { EventOf } from '../../events/definition.ts';
import type { episodeCreated, MemoryEvent } from '../../events/memory.ts';

type Created = EventOf<typeof episodeCreated>['data'];

/** What an episode is to say; what it is called, the command decides. */
export type NewEpisode = Omit<Created, 'episodeId'>;

export function createEpisode(episodeId: string, episode: NewEpisode): MemoryEvent {
  return { type: 'memory.episode.created', data: { episodeId, ...episode } };
}
