import type { ChatEvent } from '../../events/chat.ts';
import { continueExchange } from '../../projections/chat/exchange.ts';
import { endSignals } from './signals.ts';
import { eventOfBreakingOff, partsOf } from './turnEvents.ts';
import {
  type BrokenOff,
  type CallingState,
  type InputOf,
  noOutputs,
  type RecordedEnding,
  type RecordingState,
  type RunningState,
  type StoppingState,
  stay,
  type Transition,
  type TurnSoFar,
  type TurnState,
  write,
} from './turnState.ts';

/*
 * How a turn ends otherwise than by a reply, from whichever state it is in.
 *
 *   failed, stopped, refused for good ──► stopping ──nothing is unkept──► ending ──kept or refused──► over
 *   recorded: somebody ended it ────────► stopping ──nothing is unkept──────────────────────────────► over
 *   refused, since it is over ──────────► looking up ──looked up, or recorded───────────────────────► over
 */

/** Who is refused because the turn is over asks how it ended. What cannot be written for good is told all the same. */
export function takeRefusal(state: TurnState, { code, at }: InputOf<'refused'>, now: number): Transition {
  const isOver = code === 'TURN_OVER';
  if (state.phase === 'ending') {
    const { turn, event, recorded } = state;
    return isOver && !recorded ? lookUpFor(turn, event) : finish(turn, recorded ?? { event, at });
  }
  if (!isUnkept(state)) return stay(state);
  const after = { ...state, unkept: state.unkept - 1 };
  if (after.phase === 'stopping')
    return isOver && !isRecorded(after.ending) ? lookUp(after, now) : settle(after, now);
  return isOver ? lookUp(after, now) : stop(after, { code }, now);
}

export function takeRecorded(state: TurnState, recorded: RecordedEnding, now: number): Transition {
  switch (state.phase) {
    case 'ending':
      return stay({ ...state, recorded: readable(recorded, state.event) });
    case 'stopping':
      return stay({ ...state, ending: recorded });
    case 'looking up':
      return finish(state.turn, recorded);
    case 'over':
      return stay(state);
    default:
      return stop(state, recorded, now);
  }
}

/** Of a turn of which nothing is kept, the log has no words any more when it tells of the end: ours are told. */
function readable(recorded: RecordedEnding, own: ChatEvent): RecordedEnding {
  const { event, at } = recorded;
  const isForgotten = 'parts' in event.data && event.data.parts.some(({ text }) => text === null);
  return isForgotten && event.type === own.type ? { event: own, at } : recorded;
}

/** Ends what is under way, and the turn as soon as nothing that was written is on its way any more. */
export function stop(state: RunningState, ending: BrokenOff | RecordedEnding, now: number): Transition {
  const unkept = isUnkept(state) ? state.unkept : 0;
  const { step, parts } = spokenIn(state);
  const stopping = { phase: 'stopping', turn: state.turn, step, parts, ending, unkept } as const;
  return settle(stopping, now, [{ type: 'stop' }]);
}

export function settle(state: StoppingState, now: number, before = noOutputs): Transition {
  const { turn, ending } = state;
  if (state.unkept > 0) return { state, outputs: before };
  if (isRecorded(ending)) return finish(turn, ending, before);
  return end(turn, eventOfBreakingOff(turn, state, ending, now), before);
}

/** By this turn: what the log has of it from now on is how it ended. */
export function end(turn: TurnSoFar, event: ChatEvent, before = noOutputs): Transition {
  return write({ phase: 'ending', turn, event, recorded: null }, [event], before);
}

/** The log takes nothing more of it; where it was lost, it does not know how it ended. */
export function lookUp(state: RunningState | StoppingState, now: number): Transition {
  const isCancelled = state.phase === 'stopping' && state.ending === 'cancelled';
  const as = isCancelled ? 'cancelled' : 'interrupted';
  return lookUpFor(state.turn, eventOfBreakingOff(state.turn, spokenIn(state), as, now));
}

function lookUpFor(turn: TurnSoFar, otherwise: ChatEvent): Transition {
  return {
    state: { phase: 'looking up', turn, otherwise },
    outputs: [{ type: 'stop' }, { type: 'look up' }],
  };
}

export function finish(turn: TurnSoFar, { event, at }: RecordedEnding, before = noOutputs): Transition {
  const exchange = continueExchange(turn.exchange, event, at);
  const told = endSignals(exchange).map((signal) => ({ type: 'tell', signal }) as const);
  return {
    state: { phase: 'over', turn: { ...turn, exchange } },
    outputs: [...before, ...told, { type: 'remember', exchange }],
  };
}

export function isRunning(state: TurnState): state is RunningState {
  const { phase } = state;
  return phase !== 'stopping' && phase !== 'ending' && phase !== 'looking up' && phase !== 'over';
}

/** Something that was written may be on its way. */
export function isUnkept(state: TurnState): state is RecordingState | CallingState | StoppingState {
  return 'unkept' in state;
}

function isRecorded(ending: BrokenOff | RecordedEnding): ending is RecordedEnding {
  return typeof ending === 'object' && 'event' in ending;
}

/** What the model has said that is not kept. */
function spokenIn(state: RunningState | StoppingState): Pick<StoppingState, 'step' | 'parts'> {
  switch (state.phase) {
    case 'waiting':
    case 'preparing':
      return { step: 0, parts: [] };
    case 'stopping':
      return state;
    case 'calling':
      return { step: state.step, parts: [] };
    case 'asking':
      return { step: state.step, parts: partsOf(state.said) };
    case 'recording':
      return state;
  }
}
