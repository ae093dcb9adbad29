import { HarkError } from '../../errors.ts';
import { type ChatEvent, chatStream, type TurnPlace } from '../../events/chat.ts';
import { defineCommand } from '../command.ts';
import { breakOff } from './breakOffTurn.ts';
import { type SessionState, sessionState } from './state.ts';

/** What came of a turn since it was last told of, its end included. */
export interface AdvanceTurn extends TurnPlace {
  readonly events: readonly ChatEvent[];
}

/**
 * Whoever runs a turn finds out here that it is over: cancelled elsewhere, or given up for lost. One whose message
 * was forgotten meanwhile is cancelled here, and nothing of what came of it is kept.
 */
export const advanceTurn = defineCommand<AdvanceTurn, SessionState>({
  name: 'chat.advanceTurn',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  continues: true,
  decide({ open, conversationId }, { turnId, events }) {
    const turn = open.find((one) => one.turnId === turnId);
    if (conversationId === null || !turn) throw new HarkError('TURN_OVER');
    if (turn.isForgotten) return [breakOff({ ...turn, conversationId }, 'cancelled')];
    // Begun while the log was away, the turn knew nothing of the conversation under whose key it belongs.
    return events.map(({ type, data }) => ({ type, data: { ...data, conversationId } }));
  },
});
