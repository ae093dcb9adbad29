import type { WordsSlice } from '../../commands/memory/imports.ts';
import type { Standing } from '../../events/conclusions.ts';
import type { ImportedTurn } from '../../events/episodes.ts';
import type { Profile } from '../../events/memory.ts';
import type { Preferences } from '../../events/settings.ts';
import type { Entity, Evidence, Mention, Relationship } from '../../folds/entities/entities.ts';
import type { Conclusion } from '../../folds/memory/conclusion.ts';
import type { Contradiction } from '../../folds/memory/contradictions.ts';
import type { Episode } from '../../projections/memory/episodes.ts';

/*
 * The records of an export, as they travel: what an area keeps beside has a kind of its own. What was forgotten is
 * not in it, and an episode brings the words that it came from along, since their log stays behind.
 */

export interface EpisodeRecord
  extends Omit<
    Episode,
    | 'episodeId'
    | 'formerConversationId'
    | 'summary'
    | 'topic'
    | 'keywords'
    | 'createdAt'
    | 'flagged'
    | 'part'
    | 'echoes'
    | 'aside'
    | 'capture'
  > {
  readonly kind: 'episode';
  readonly id: string;
  readonly summary: string;
  readonly topic: string;
  readonly keywords: readonly string[];
  readonly createdAt: number;
  readonly flagged: boolean;
  readonly turns: readonly ImportedTurn[];
  /** Of many records that differ in nothing but their words: which these are. */
  readonly slice?: WordsSlice;
  /** Who and what it names comes in records of its own. */
  readonly isRead: boolean;
}

export interface ConclusionRecord extends Omit<Conclusion, 'text'> {
  readonly kind: 'conclusion';
  readonly text: string;
  readonly tended?: NonNullable<Standing['tended']>;
}

/** Two of these that cannot both be so, and what somebody said of that. */
export interface ContradictionRecord extends Omit<Contradiction, 'ids' | 'isLinkOnly'> {
  readonly kind: 'contradiction';
  readonly conclusionId: string;
  readonly contradicts: string;
}

export interface ProfileRecord {
  readonly kind: 'profile';
  readonly profile: Profile;
}

/** What one episode said of it. */
type MentionRecord = Mention & { readonly name: string; readonly aliases: readonly string[] };

export interface EntityRecord extends Omit<Entity, 'mentions'> {
  readonly kind: 'entity';
  readonly mentions: readonly MentionRecord[];
}

export interface RelationshipRecord extends Omit<Relationship, 'evidence'> {
  readonly kind: 'relationship';
  readonly evidence: readonly (Evidence & { readonly type: string })[];
}

/** What differs from what holds for everybody. */
export interface PreferencesRecord {
  readonly kind: 'preferences';
  readonly preferences: Preferences;
}

export type MemoryRecord =
  | EpisodeRecord
  | ConclusionRecord
  | ContradictionRecord
  | ProfileRecord
  | EntityRecord
  | RelationshipRecord
  | PreferencesRecord;
