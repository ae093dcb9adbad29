import type { FoundEntity, FoundRelationship } from '../../commands/entities/recordEntities.ts';
import type { EventOf } from '../../events/definition.ts';
import type { episodeCreated } from '../../events/episodes.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** One side of a turn of which an episode tells. */
export interface EpisodeWords {
  readonly turnId: string;
  readonly role: 'user' | 'assistant' | 'prompt';
  readonly text: string;
  readonly at: number;
}

/** The words behind the event of an episode; none once they are forgotten. */
export type WordsOfEpisode = (
  created: StoredEvent & EventOf<typeof episodeCreated>,
) => Promise<readonly EpisodeWords[]>;

export interface EntityReading {
  readonly entities: readonly FoundEntity[];
  readonly relationships: readonly FoundRelationship[];
  readonly by: 'model' | 'offline';
}

export interface AskingForEntities {
  readonly userId: string;
  readonly correlationId: string;
  readonly signal: AbortSignal;
  /** Rather fails when a model that is set for it is away than does without. */
  readonly needsModel?: boolean;
}

/** Finds who and what is named: with a model where there is one, and by itself where there is none. */
export type ReadEntities = (
  words: readonly EpisodeWords[],
  asking: AskingForEntities,
) => Promise<EntityReading>;
