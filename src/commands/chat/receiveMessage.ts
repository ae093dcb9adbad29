import { type ChatEvent, chatStream, messageReceived } from '../../events/chat.ts';
import type { EventOf } from '../../events/definition.ts';
import { defineCommand } from '../command.ts';
import { type SessionState, sessionState } from './state.ts';

type Received = EventOf<typeof messageReceived>['data'];
export type ReceiveMessage = Omit<Received, 'conversationId'>;

/** The message is kept before anything is done about it; its turn waits for those that came before. */
export const receiveMessage = defineCommand<ReceiveMessage, SessionState>({
  name: 'chat.receiveMessage',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  isFirst: ({ sessionId }) => sessionId === null,
  decide({ conversationId, open }, message): ChatEvent[] {
    if (open.some(({ turnId }) => turnId === message.turnId)) return [];
    const data = { ...message, conversationId: conversationId ?? message.turnId };
    return [{ type: messageReceived.type, data }];
  },
});
