import type { MemoryEvent } from '../../events/memory.ts';
import type { Conversations } from './conversations.ts';
import type { KnownEpisodes } from './episodes.ts';
import { defineMemoryCommand } from './state.ts';

interface ExpireConversations {
  readonly conversationIds: readonly string[];
  /** From after the one position up to the other the log was looked through for them. */
  readonly after: number;
  readonly upTo: number;
  /** When the first thing after that ended; null when there is none. */
  readonly next: number | null;
}

/**
 * The words of conversations that are over for long enough, and that no episode tells of: those of the others go
 * with their episodes. That there are none is worth an event too: it says from where on to look the next time.
 */
export const expireConversations = defineMemoryCommand<ExpireConversations>({
  name: 'memory.expireConversations',
  decide(
    { episodes, consolidated, lookedOver }: KnownEpisodes & Conversations,
    { conversationIds, after, upTo, next },
  ): MemoryEvent[] {
    // Another process was quicker.
    if (lookedOver > after) return [];
    const told = new Set(Object.values(episodes).map(({ conversationId }) => conversationId));
    const untold = conversationIds.filter((id) => !told.has(id));
    const settled = conversationIds.filter((id) => told.has(id) && consolidated[id] !== true);
    const data = { conversationIds: untold, upTo, next, ...(settled.length > 0 ? { settled } : {}) };
    return [{ type: 'memory.conversations.expired', data }];
  },
});
