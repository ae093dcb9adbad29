import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import { defineTool, type ToolOperation } from '../operation.ts';
import type { VoiceSessions } from '../voiceSessions.ts';

const session = z.object({
  id: z.string(),
  connectionId: z.string(),
  isActive: z.boolean(),
  isSpeaking: z.boolean(),
  lastActivity: z.int(),
});
const list = z.object({
  sessions: z.array(session.pick({ id: true, isActive: true })),
  activeSessions: z.int(),
});

export function sessionStatus(sessions: VoiceSessions): ToolOperation {
  return defineTool({
    tool: {
      name: 'session.status',
      description: "Lists the user's open voice sessions, or tells what one of them does.",
      hints: { phrases: 'voice session, open session, sessions' },
      category: 'voice',
      annotations: { title: 'Voice sessions', readOnlyHint: true, openWorldHint: false },
    },
    input: z.object({ sessionId: z.string().optional().describe('Only this session, in detail') }),
    output: z.union([list, session]),
    run({ sessionId }, { userId }) {
      const own = sessions.of(userId);
      if (sessionId === undefined) {
        const shown = own.map(({ id, isActive }) => ({ id, isActive }));
        return { sessions: shown, activeSessions: shown.filter(({ isActive }) => isActive).length };
      }
      const found = own.find(({ id }) => id === sessionId);
      if (!found) throw new HarkError('SESSION_UNKNOWN', { message: 'Session not found' });
      return found;
    },
  });
}
