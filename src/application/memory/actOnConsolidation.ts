import { z } from 'zod';
import type { CommandRunner } from '../../commands/runner.ts';
import { openSessions } from '../../projections/chat/openSessions.ts';
import type { Views } from '../../projections/runtime.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';

/** Has what was said in the user's sessions so far consolidated, and ends none of them. */
export function actOnConsolidation(
  context: () => { readonly runner: CommandRunner; readonly views: Views },
): TopicActor {
  return defineActor({
    topic: 'memory.consolidation.requested',
    payload: z.object({}),
    async act(_nothing, { userId, correlationId, id }) {
      const { askForConsolidation } = await import('../../commands/memory/consolidate.ts');
      const { runner, views } = context();
      const sessions = Object.values(views.view(openSessions).byStream).flatMap(
        ({ userId: owner, sessionId, conversationId, turns }) =>
          owner === userId && sessionId !== null && turns > 0 ? [{ sessionId, conversationId }] : [],
      );
      const commandId = `consolidation:${id}`;
      await runner.run(askForConsolidation, { sessions }, { userId, correlationId, commandId });
    },
  });
}
