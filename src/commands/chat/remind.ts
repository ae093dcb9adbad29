import { type ChatEvent, chatStream } from '../../events/chat.ts';
import { nothingDone, replySent } from '../../events/turnEndings.ts';
import { messageReceived } from '../../events/turns.ts';
import { defineCommand } from '../command.ts';
import { type SessionState, sessionState } from './state.ts';
import type { ReceiveMessage } from './turns.ts';

interface Remind extends Omit<ReceiveMessage, 'text' | 'images' | 'replaces'> {
  readonly sessionId: string;
  readonly text: string;
}

/**
 * Something is said in a session that nobody asked for there, and no model words it: a turn that is over when it
 * begins. Turns that run or wait in the session go on as they would have.
 */
export const remind = defineCommand<Remind, SessionState>({
  name: 'chat.remind',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  decide({ conversationId }, { text, ...message }): ChatEvent[] {
    const { turnId, sessionId } = message;
    const place = { turnId, sessionId, conversationId: conversationId ?? turnId };
    const { usage } = nothingDone;
    const step = { step: 1, provider: null, model: null, parts: [{ type: 'content' as const, text }] };
    return [
      { type: messageReceived.type, data: { ...message, ...place, text: '', images: [] } },
      { type: replySent.type, data: { ...place, ...step, reasoning: null, usage, metadata: nothingDone } },
    ];
  },
});
