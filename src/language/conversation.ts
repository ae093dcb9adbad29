import type { Importance } from './importance.ts';
import type { Relation } from './names/relationships.ts';
import type { NamedEntity } from './names.ts';
import type { Statement } from './statements.ts';

interface ConversationTurn {
  readonly role: string;
  /** Who spoke, when it was not this hark and its user. */
  readonly name?: string | null;
  readonly text: string;
  /** Unix milliseconds; dates that are named ("next Tuesday") are seen from here. */
  readonly at: number;
}

export interface SpokenConversation {
  readonly turns: readonly ConversationTurn[];
}

/** What a conversation came to, found with no model. */
export interface ConversationReading extends Importance {
  readonly summary: string;
  readonly topic: string;
  readonly keywords: readonly string[];
  /** In the order in which they were made; of two with one slot the later one counts. */
  readonly statements: readonly (Statement & { readonly turn: number })[];
  readonly entities: readonly NamedEntity[];
  readonly relationships: readonly Relation[];
  /** What the last answer is worth by itself; null when the last word is the user's. */
  readonly answer: Pick<Importance, 'importance' | 'reasons'> | null;
}

export type ReadAnswer = { readonly reading: ConversationReading } | { readonly failed: string };
