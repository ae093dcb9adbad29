import { endSession } from '../../commands/chat/turns.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { chatStream, readChatEvent } from '../../events/chat.ts';
import type { EventReader } from '../../store/port.ts';

interface WhichSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly correlationId: string;
}

/** All that was ever said under the id of a session. */
export interface SaidInSession {
  readonly conversationIds: readonly string[];
  readonly turnIds: readonly string[];
}

/**
 * Ends a session, where it goes on, before all of it is erased: what is said from then on begins a conversation of its
 * own. Cut off after that, it has ended, and whoever asks again has it forgotten.
 */
export async function endToForget(
  { store, runner }: { readonly store: EventReader; readonly runner: CommandRunner },
  { userId, sessionId, correlationId }: WhichSession,
): Promise<SaidInSession> {
  await runner.run(endSession, { sessionId }, { userId, correlationId }).catch((error) => {
    if (!isHarkError(error, 'SESSION_UNKNOWN')) throw error;
  });
  const said = await saidIn(store, chatStream(userId, { sessionId, turnId: '' }));
  if (said.conversationIds.length === 0) throw new HarkError('SESSION_UNKNOWN', { body: { sessionId } });
  return said;
}

async function saidIn(store: EventReader, stream: string): Promise<SaidInSession> {
  const conversationIds = new Set<string>();
  const turnIds = new Set<string>();
  for await (const events of store.readStream(stream))
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (event?.type === 'sessionEnded') conversationIds.add(event.data.conversationId);
      else if (event?.type === 'chat.message.received') turnIds.add(event.data.turnId);
    }
  return { conversationIds: [...conversationIds], turnIds: [...turnIds] };
}
