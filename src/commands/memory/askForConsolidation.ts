import type { EventOf } from '../../events/definition.ts';
import { type consolidationAsked, type MemoryEvent, memoryStream } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { type UserMemory, userMemory } from './state.ts';

interface AskForConsolidation {
  /** Those that go on. */
  readonly sessions: readonly EventOf<typeof consolidationAsked>['data'][];
}

/** What has been said in sessions is not to wait for their end. */
export const askForConsolidation = defineCommand<AskForConsolidation, UserMemory>({
  name: 'memory.askForConsolidation',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide: ({ consolidated }, { sessions }): MemoryEvent[] =>
    sessions
      .filter(({ conversationId }) => consolidated[conversationId] !== true)
      .map((data) => ({ type: 'memory.consolidation.asked', data })),
});
