import { sessionEnded } from '../../events/chat.ts';
import { isEvent, type NewEvent } from '../../events/definition.ts';
import { readTurnEnding, turnDelegated } from '../../events/turnEndings.ts';
import { messageReceived, toolCalled, toolReturned } from '../../events/turns.ts';
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
  /** Calls by turn that were left to the client, and that it has told nothing of. */
  readonly left: readonly LeftCall[];
  /** Turns of this conversation whose reply is spoken. */
  readonly spoken: readonly string[];
  /** The last message cannot be read any more, nor anything before it. */
  readonly isForgotten: boolean;
}

interface LeftCall {
  readonly turnId: string;
  readonly callId: string;
}

const nothing: SessionState = {
  conversationId: null,
  turns: 0,
  open: [],
  left: [],
  spoken: [],
  isForgotten: false,
};
/** A client tells what came of its calls at once, or never; what of a reply was heard is known soon as well. */
const MOST_LEFT = 256;

export const sessionState: StreamFold<SessionState> = {
  name: 'session',
  version: 5,
  initial: nothing,
  evolve(state: SessionState, past: NewEvent): SessionState {
    const ending = readTurnEnding(past);
    if (ending) {
      const { turnId } = ending.data;
      const isLeft = isEvent(past, turnDelegated);
      const left = isLeft ? state.left : state.left.filter((call) => call.turnId !== turnId);
      return { ...state, turns: state.turns + 1, open: without(state.open, turnId), left };
    }
    if (isEvent(past, sessionEnded)) return nothing;
    if (isEvent(past, toolCalled)) {
      const { turnId, callId } = past.data;
      if (state.open.some((turn) => turn.turnId === turnId && turn.isForgotten)) return state;
      return { ...state, left: [...state.left, { turnId, callId }].slice(-MOST_LEFT) };
    }
    if (isEvent(past, toolReturned)) {
      const { turnId, callId } = past.data;
      return {
        ...state,
        left: state.left.filter((call) => call.turnId !== turnId || call.callId !== callId),
      };
    }
    if (!isEvent(past, messageReceived)) return state;
    const { turnId, sessionId, conversationId, text, transient = false } = past.data;
    const isForgotten = text === null;
    const turn = { turnId, sessionId, isForgotten, isTransient: transient };
    const spoken = past.data.spoken ? [...state.spoken, turnId].slice(-MOST_LEFT) : state.spoken;
    return { ...state, conversationId, open: [...state.open, turn], spoken, isForgotten };
  },
};

function without(open: readonly OpenTurn[], ended: string): readonly OpenTurn[] {
  return open.filter(({ turnId }) => turnId !== ended);
}
