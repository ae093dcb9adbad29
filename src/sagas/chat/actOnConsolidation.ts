import { z } from 'zod';
import { endSession } from '../../commands/chat/endSession.ts';
import { openSessions } from '../../projections/chat/openSessions.ts';
import { defineActor, type TopicActor } from '../topicActors.ts';
import type { ChatBacking } from './sessions.ts';

/** Ends the user's sessions, but for those in which something runs: what was said in them is then consolidated. */
export function actOnConsolidation(backing: () => ChatBacking): TopicActor {
  return defineActor({
    topic: 'memory.consolidation.requested',
    payload: z.object({}),
    async act(_nothing, { userId, correlationId, signal }) {
      const { runner, views } = backing();
      const sessions = Object.values(views.view(openSessions).byStream);
      for (const { userId: owner, sessionId, conversationId, turns, open } of sessions) {
        if (owner !== userId || sessionId === null || open.length > 0 || signal.aborted) continue;
        await runner.run(
          endSession,
          { sessionId, idle: { conversationId, turns } },
          { userId, correlationId },
        );
      }
    },
  });
}
