import { endSession } from '../../commands/chat/turns.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { type SaidInSession, saidInSession } from '../../projections/chat/saidInSession.ts';
import type { EventReader } from '../../store/port.ts';

interface WhichSession {
  readonly userId: string;
  readonly sessionId: string;
  readonly correlationId: string;
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
  const said = await saidInSession(store, { userId, sessionId, isOver: true });
  if (said.conversationIds.length === 0) throw new HarkError('SESSION_UNKNOWN', { body: { sessionId } });
  return said;
}
