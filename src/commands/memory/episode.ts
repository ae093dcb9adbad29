import type { EventOf } from '../../events/definition.ts';
import type { episodeCreated, MemoryEvent } from '../../events/memory.ts';
import type { KnownEpisodes } from './episodes.ts';

type Created = EventOf<typeof episodeCreated>['data'];

/** What an episode is to say; what it is called, the command decides. */
export type NewEpisode = Omit<Created, 'episodeId'>;

export function createEpisode(episodeId: string, episode: NewEpisode): MemoryEvent {
  return { type: 'memory.episode.created', data: { episodeId, ...episode } };
}

/** A prompt that comes again and again leaves an episode once, also when that is gone. */
export function isRepeatedPrompt(
  { prompted }: Pick<KnownEpisodes, 'prompted'>,
  { source }: Pick<NewEpisode, 'source'>,
): boolean {
  return source !== undefined && Object.hasOwn(prompted, source);
}
