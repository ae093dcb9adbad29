import type { EventOf } from '../../events/definition.ts';
import type { consolidationDeferred, MemoryEvent } from '../../events/memory.ts';
import type { Conversations } from './conversations.ts';
import { defineMemoryCommand } from './state.ts';

/** A person needs the machine now; that a conversation waits for that is worth knowing. */
export const deferConsolidation = defineMemoryCommand<EventOf<typeof consolidationDeferred>['data']>({
  name: 'memory.deferConsolidation',
  decide: ({ consolidated }: Conversations, deferred): MemoryEvent[] =>
    consolidated[deferred.conversationId] ? [] : [{ type: 'memory.consolidation.deferred', data: deferred }],
});
