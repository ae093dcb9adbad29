import { HarkError } from '../../errors.ts';
import { type ChatEvent, chatStream, sessionEnded } from '../../events/chat.ts';
import { defineCommand } from '../command.ts';
import { breakOff } from './breakOffTurn.ts';
import { type SessionState, sessionState } from './state.ts';

interface EndSession {
  readonly sessionId: string;
  /** Where it was found idle: what it looked like then. It stays open when anything came of it since. */
  readonly idle?: { readonly conversationId: string; readonly turns: number };
}

/** The conversation is over, exactly once; what still runs in it is broken off. */
export const endSession = defineCommand<EndSession, SessionState>({
  name: 'chat.endSession',
  state: sessionState,
  scope: 'user',
  stream: ({ sessionId }, userId) => chatStream(userId, { sessionId, turnId: '' }),
  decide({ conversationId, turns, open }, { sessionId, idle }): ChatEvent[] {
    if (idle && (conversationId !== idle.conversationId || turns !== idle.turns || open.length > 0))
      return [];
    if (conversationId === null) throw new HarkError('SESSION_UNKNOWN', { body: { sessionId } });
    const broken = open.map((turn) => breakOff({ ...turn, conversationId }, 'cancelled'));
    const reason = idle ? 'idle' : 'asked';
    const ended = { sessionId, conversationId, reason, turns: turns + open.length } as const;
    return [...broken, { type: sessionEnded.type, data: ended }];
  },
});
