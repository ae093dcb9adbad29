import type { FoundTurn } from '../../commands/chat/turns.ts';
import { HarkError } from '../../errors.ts';
import { versionsOf } from '../../projections/chat/branches.ts';
import type { Conversation } from '../../projections/chat/conversation.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { findReceived } from '../../projections/chat/received.ts';
import type { EventReader } from '../../store/port.ts';

/** A turn of a conversation as it is shown. */
export interface ShownExchange extends Exchange {
  /** Turns that stand in place of each other, this one among them, in the order in which they were said. */
  readonly versions?: readonly string[];
  /** Its conversation has ended. */
  readonly isOver?: true;
}

export function shown(
  exchanges: readonly Exchange[],
  branches: Pick<Conversation, 'versions'>,
): readonly ShownExchange[] {
  if (branches.versions.length === 0) return exchanges;
  return exchanges.map((exchange) => {
    const versions = versionsOf(branches, exchange.turnId);
    return versions ? { ...exchange, versions } : exchange;
  });
}

/** A turn that somebody names, where it is one of this session and can be read. */
export async function findInSession(
  store: EventReader,
  { userId, sessionId, turnId }: { userId: string; sessionId: string; turnId: string },
): Promise<FoundTurn> {
  const data = (await findReceived(store, userId, turnId))?.data;
  if (data?.sessionId !== sessionId || data.text === null)
    throw new HarkError('TURN_UNKNOWN', { body: { turnId } });
  return { turnId, conversationId: data.conversationId };
}
