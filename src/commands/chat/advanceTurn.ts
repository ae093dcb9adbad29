import { HarkError } from '../../errors.ts';
import type { ChatEvent } from '../../events/chat.ts';
import { defineCommand } from '../command.ts';
import { chatStream, type Place, type SessionState, sessionState } from './state.ts';

/** What came of a turn since it was last told of, its end included. */
export interface AdvanceTurn extends Place {
  readonly events: readonly ChatEvent[];
}

/** Whoever runs a turn finds out here that it is over: cancelled elsewhere, or given up for lost. */
export const advanceTurn = defineCommand<AdvanceTurn, SessionState>({
  name: 'chat.advanceTurn',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  decide({ open }, { turnId, events }): readonly ChatEvent[] {
    if (!open.some((one) => one.turnId === turnId)) throw new HarkError('TURN_OVER');
    return events;
  },
});
