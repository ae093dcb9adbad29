import { entryOf } from '../../entryOf.ts';
import type { EventOf } from '../../events/definition.ts';
import type { consolidationDeferred, MemoryEvent } from '../../events/memory.ts';
import type { Conversations } from './conversations.ts';
import { defineMemoryCommand } from './state.ts';

/** A person needs the machine now; that a conversation waits for that is worth knowing, and counted. */
export const deferConsolidation = defineMemoryCommand<
  Omit<EventOf<typeof consolidationDeferred>['data'], 'attempt'>
>({
  name: 'memory.deferConsolidation',
  decide({ consolidated, deferrals }: Conversations, { conversationId, reason }): MemoryEvent[] {
    if (consolidated[conversationId]) return [];
    const attempt = (entryOf(deferrals, conversationId) ?? 0) + 1;
    return [{ type: 'memory.consolidation.deferred', data: { conversationId, attempt, reason } }];
  },
});
