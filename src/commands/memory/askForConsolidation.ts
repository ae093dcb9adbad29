import type { EventOf } from '../../events/definition.ts';
import type { consolidationAsked, MemoryEvent } from '../../events/memory.ts';
import type { Conversations } from './conversations.ts';
import { defineMemoryCommand } from './state.ts';

interface AskForConsolidation {
  /** Those that go on. */
  readonly sessions: readonly EventOf<typeof consolidationAsked>['data'][];
}

/** What has been said in sessions is not to wait for their end. */
export const askForConsolidation = defineMemoryCommand<AskForConsolidation>({
  name: 'memory.askForConsolidation',
  decide: ({ consolidated }: Conversations, { sessions }): MemoryEvent[] =>
    sessions
      .filter(({ conversationId }) => consolidated[conversationId] !== true)
      .map((data) => ({ type: 'memory.consolidation.asked', data })),
});
