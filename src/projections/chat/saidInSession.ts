import { chatStream, readChatEvent } from '../../events/chat.ts';
import type { EventReader } from '../../store/port.ts';

/** All that was ever said under the id of a session. */
export interface SaidInSession {
  readonly conversationIds: readonly string[];
  readonly turnIds: readonly string[];
}

interface WhichSession {
  readonly userId: string;
  readonly sessionId: string;
  /** Leaves out what goes on: a conversation that began since. */
  readonly isOver?: boolean;
}

export async function saidInSession(
  store: EventReader,
  { userId, sessionId, isOver = false }: WhichSession,
): Promise<SaidInSession> {
  const conversationIds = new Set<string>();
  const turnIds = new Set<string>();
  for await (const events of store.readStream(chatStream(userId, { sessionId, turnId: '' })))
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (event?.type === 'chat.message.received') turnIds.add(event.data.turnId);
      if (event?.type === 'sessionEnded' || (!isOver && event?.type === 'chat.message.received'))
        conversationIds.add(event.data.conversationId);
    }
  return { conversationIds: [...conversationIds], turnIds: [...turnIds] };
}
