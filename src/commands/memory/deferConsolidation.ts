import type { EventOf } from '../../events/definition.ts';
import { type consolidationDeferred, type MemoryEvent, memoryStream } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

/** A person needs the machine now; that a conversation waits for that is worth knowing. */
export const deferConsolidation = defineCommand<EventOf<typeof consolidationDeferred>['data'], UserMemory>({
  name: 'memory.deferConsolidation',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide: ({ consolidated }, deferred): MemoryEvent[] =>
    consolidated[deferred.conversationId] ? [] : [{ type: 'memory.consolidation.deferred', data: deferred }],
});
