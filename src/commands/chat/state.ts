import {
  messageReceived,
  replySent,
  sessionEnded,
  turnCancelled,
  turnDelegated,
  turnFailed,
  turnInterrupted,
} from '../../events/chat.ts';
import { dataOf, type NewEvent, type ReadEvent } from '../../events/definition.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

interface OpenTurn {
  readonly turnId: string;
  readonly sessionId: string | null;
  /** Its message cannot be read any more: what comes of it must not be kept either. */
  readonly isForgotten: boolean;
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
  version: 2,
  initial: nothing,
  evolve(state: SessionState, event: ReadEvent): SessionState {
    switch (event.type) {
      case messageReceived.type: {
        const { turnId, sessionId, conversationId, text } = dataOf(messageReceived, event);
        const turn = { turnId, sessionId, isForgotten: text === null };
        return { ...state, conversationId, open: [...state.open, turn] };
      }
      case replySent.type:
      case turnDelegated.type:
      case turnFailed.type:
      case turnCancelled.type:
      case turnInterrupted.type:
        return { ...state, turns: state.turns + 1, open: without(state.open, event) };
      case sessionEnded.type:
        return nothing;
      default:
        return state;
    }
  },
};

function without(open: readonly OpenTurn[], event: NewEvent): readonly OpenTurn[] {
  const ended = turnIdOf(event);
  return open.filter(({ turnId }) => turnId !== ended);
}

/** Of an event of a turn; the rest of it need not be looked at, and may be long. */
export function turnIdOf({ data }: NewEvent): unknown {
  return typeof data === 'object' && data !== null && 'turnId' in data ? data.turnId : undefined;
}
