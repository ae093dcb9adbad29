import { messageReceived, readTurnEnding, sessionEnded } from '../../events/chat.ts';
import { isEvent, type NewEvent } from '../../events/definition.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

export interface OpenTurn {
  readonly turnId: string;
  readonly sessionId: string | null;
  /** Its message cannot be read any more: what comes of it must not be kept either. */
  readonly isForgotten: boolean;
  /** Nothing of it is kept once it is over. */
  readonly isTransient: boolean;
}

/** One session: between conversations there is nothing to it but that it may begin another. */
export interface SessionState {
  /** Null when none has begun, or the last has ended. */
  readonly conversationId: string | null;
  /** Turns of this conversation that are over. */
  readonly turns: number;
  /** In the order in which they came; the first of them runs. */
  readonly open: readonly OpenTurn[];
}

const nothing: SessionState = { conversationId: null, turns: 0, open: [] };

export const sessionState: StreamFold<SessionState> = {
  name: 'session',
  version: 3,
  initial: nothing,
  evolve(state: SessionState, past: NewEvent): SessionState {
    const ending = readTurnEnding(past);
    if (ending) return { ...state, turns: state.turns + 1, open: without(state.open, ending.data.turnId) };
    if (isEvent(past, sessionEnded)) return nothing;
    if (!isEvent(past, messageReceived)) return state;
    const { turnId, sessionId, conversationId, text, transient = false } = past.data;
    const turn = { turnId, sessionId, isForgotten: text === null, isTransient: transient };
    return { ...state, conversationId, open: [...state.open, turn] };
  },
};

function without(open: readonly OpenTurn[], ended: string): readonly OpenTurn[] {
  return open.filter(({ turnId }) => turnId !== ended);
}
