import {
  type ChatEvent,
  chatStream,
  nothingDone,
  type TurnPlace,
  turnCancelled,
  turnInterrupted,
} from '../../events/chat.ts';
import { defineCommand } from '../command.ts';
import { type SessionState, sessionState } from './state.ts';

interface BreakOffTurn extends TurnPlace {
  readonly as: 'cancelled' | 'interrupted';
}

/** Ends a turn from outside, by somebody who does not know how far it was. One that is over stays as it is. */
export const breakOffTurn = defineCommand<BreakOffTurn, SessionState>({
  name: 'chat.breakOffTurn',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  decide({ conversationId, open }, { turnId, as }): ChatEvent[] {
    const turn = open.find((one) => one.turnId === turnId);
    return turn ? [breakOff({ ...turn, conversationId: conversationId ?? turnId }, as)] : [];
  },
});

interface TurnRef {
  readonly turnId: string;
  readonly sessionId: string | null;
  readonly conversationId: string;
}

export function breakOff({ turnId, sessionId, conversationId }: TurnRef, as: BreakOffTurn['as']): ChatEvent {
  const { type } = as === 'cancelled' ? turnCancelled : turnInterrupted;
  return { type, data: { turnId, sessionId, conversationId, step: 0, parts: [], metadata: nothingDone } };
}
