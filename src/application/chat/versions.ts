import {
  chooseBranch,
  type FoundTurn,
  type ReceiveMessage,
  receiveMessage,
} from '../../commands/chat/turns.ts';
import type { CommandContext, CommandOutcome } from '../../commands/runner.ts';
import { HarkError } from '../../errors.ts';
import { chatStream } from '../../events/chat.ts';
import { versionsOf } from '../../projections/chat/branches.ts';
import type { Conversation } from '../../projections/chat/conversation.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import { findReceived } from '../../projections/chat/received.ts';
import type { EventReader } from '../../store/port.ts';
import type { ChatContext, Sessions } from './sessions.ts';

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

/** The message stands in place of an earlier turn. */
export async function replaceTurn(
  { store, runner }: ChatContext,
  message: ReceiveMessage & { readonly sessionId: string },
  turnId: string,
  whose: CommandContext,
): Promise<CommandOutcome> {
  const { userId } = whose;
  const replaces = await findInSession(store, { userId, sessionId: message.sessionId, turnId });
  return runner.run(receiveMessage, { ...message, replaces }, whose);
}

/** Takes up again what was said from a turn on, where that is set aside. */
export async function chooseVersion(
  { store, runner }: ChatContext,
  sessions: Pick<Sessions, 'conversation'>,
  turn: { readonly sessionId: string; readonly turnId: string },
  whose: CommandContext,
): Promise<void> {
  const { userId } = whose;
  const found = await findInSession(store, { userId, ...turn });
  const { exchanges } = await sessions.conversation(chatStream(userId, turn), userId);
  if (exchanges.some(({ turnId }) => turnId === turn.turnId)) return;
  await runner.run(chooseBranch, { ...turn, ...found }, whose);
}

/** A turn that somebody names, where it is one of this session and can be read. */
async function findInSession(
  store: EventReader,
  { userId, sessionId, turnId }: { userId: string; sessionId: string; turnId: string },
): Promise<FoundTurn> {
  const data = (await findReceived(store, userId, turnId))?.data;
  if (data?.sessionId !== sessionId || data.text === null)
    throw new HarkError('TURN_UNKNOWN', { body: { turnId } });
  return { turnId, conversationId: data.conversationId };
}
