import type { Conclusion, Episode } from '../../commands/memory/remembered.ts';
import type { ImportedTurn, Profile } from '../../events/memory.ts';

/*
 * The records of an export, as they travel: what an area keeps beside has a kind of its own. What was forgotten is
 * not in it, and an episode brings the words that it came from along, since their log stays behind.
 */

export interface EpisodeRecord
  extends Omit<
    Episode,
    'episodeId' | 'conversationId' | 'summary' | 'topic' | 'keywords' | 'createdAt' | 'flagged'
  > {
  readonly kind: 'episode';
  readonly id: string;
  readonly summary: string;
  readonly topic: string;
  readonly keywords: readonly string[];
  readonly createdAt: number;
  readonly flagged: boolean;
  readonly turns: readonly ImportedTurn[];
}

export interface ConclusionRecord extends Omit<Conclusion, 'text'> {
  readonly kind: 'conclusion';
  readonly text: string;
}

export interface ProfileRecord {
  readonly kind: 'profile';
  readonly profile: Profile;
}

export type MemoryRecord = EpisodeRecord | ConclusionRecord | ProfileRecord;
