import type { ChatEvent } from '../../events/chat.ts';
import { nothingDone } from '../../events/turnEndings.ts';
import { type SpokenPart, type StepTiming, toolCalled, toolReturned } from '../../events/turns.ts';
import type { CompletionPart, ToolCall } from '../../gateways/models/gateway.ts';
import { continueExchange } from '../../projections/chat/exchange.ts';
import type { Routed } from '../models.ts';
import type { Briefing } from './briefing.ts';
import { callSignal, returnSignal } from './signals.ts';
import {
  end,
  finish,
  isRunning,
  isUnkept,
  lookUp,
  settle,
  stop,
  takeRecorded,
  takeRefusal,
} from './turnEnding.ts';
import {
  countFailed,
  countRoute,
  countStep,
  eventOfBreakingOff,
  eventOfDelegation,
  eventOfReply,
  eventOfReturn,
  eventOfSummary,
  eventsOfStep,
  failedOf,
  partsOf,
} from './turnEvents.ts';
import type {
  AskingState,
  Heard,
  InputOf,
  Transition,
  TurnInput,
  TurnOutput,
  TurnSoFar,
  TurnState,
  TurnStep,
  WaitingState,
} from './turnState.ts';
import { noOutputs, stay, write } from './turnState.ts';

/*
 * One turn of chat as a state machine, from its message to its one ending. What breaks it off is in turnEnding.ts.
 *
 *    waiting
 *       │ due
 *    preparing ── briefed, with a summary ─────────┐
 *       │ briefed                                  ▼
 *    asking ── answered, with calls or nothing ► recording ─┬─ a summary, or silence, is kept ► asking
 *       │ answered, with a reply                            ├─ calls are kept ► calling ── all results are kept ► asking
 *       │ one step too many                                 └─ calls that the client runs are kept ► ending
 *                                                            (after those that hark runs, where there are both)
 *    ending
 *       │ kept
 *    over
 *
 * It puts out what is told of the turn (`tell`), what is written (`write`) and, when it is over, what is remembered
 * (`remember`). Beside that it has work done, whose results come in again: `brief`, `ask`, `call`, `look up`; `stop`
 * ends what is under way of that. What happened is told once it is kept, but for what the model says: that is told as
 * it comes. Nothing ends the turn while a write is under way, so that what is told, written and remembered agree.
 * What comes too late or out of order changes nothing.
 */

const nothingHeard: Heard = { calls: [], routed: null, finish: null };

export function beginTurn(turn: Pick<TurnSoFar, 'place' | 'exchange' | 'startedMs'>): TurnState {
  return { phase: 'waiting', turn: { ...turn, metadata: nothingDone, failedAttempts: [] } };
}

/** `now` in milliseconds of a clock that only goes forward: how long the turn took is told in its end. */
export function next(state: TurnState, input: TurnInput, now: number): Transition {
  switch (input.type) {
    case 'due':
      if (state.phase !== 'waiting') return stay(state);
      return { state: { ...state, phase: 'preparing' }, outputs: [{ type: 'brief' }] };
    case 'briefed':
      return state.phase === 'preparing' ? begin(state, input, now) : stay(state);
    case 'text':
    case 'reasoning':
    case 'routed':
    case 'tool-call':
    case 'finish':
      return state.phase === 'asking' ? hear(state, input, now) : stay(state);
    case 'attempt failed':
      return state.phase === 'asking'
        ? stay({ ...state, turn: countFailed(state.turn, input) })
        : stay(state);
    case 'answered':
      return state.phase === 'asking' ? takeAnswer(state, input.toolTokens, now) : stay(state);
    case 'ruled':
      return state.phase === 'asking' ? takeRuled(state, input, now) : stay(state);
    case 'returned':
      return takeReturn(state, input);
    case 'kept':
      return takeKept(state, input, now);
    case 'refused':
      return takeRefusal(state, input, now);
    case 'failed':
      if (!isRunning(state) || state.phase === 'waiting') return stay(state);
      return input.code === 'TURN_OVER' ? lookUp(state, now) : stop(state, { code: input.code }, now);
    case 'stopped':
      return isRunning(state) ? stop(state, input.as, now) : stay(state);
    case 'recorded':
      return takeRecorded(state, input.ending, now);
    case 'looked up':
      if (state.phase !== 'looking up') return stay(state);
      return finish(state.turn, input.ending ?? { event: state.otherwise, at: input.at });
  }
}

function begin(
  { turn }: WaitingState,
  { briefing, mostSteps, toolTokens }: InputOf<'briefed'>,
  now: number,
): Transition {
  const { slot, intent, recalled = [], summed } = briefing;
  const metadata = { ...turn.metadata, slot, intent, recalled, toolTokens };
  const begun = { turn: { ...turn, metadata }, briefing, mostSteps, step: 0, wasSilent: false };
  if (!summed) return ask(begun, now);
  const recording = {
    ...begun,
    phase: 'recording',
    parts: [],
    calls: [],
    follows: 'ask',
    unkept: 1,
  } as const;
  return write(recording, [eventOfSummary(turn, summed)]);
}

function ask(last: TurnStep, now: number, before = noOutputs): Transition {
  const { turn, briefing, mostSteps, wasSilent } = last;
  const step = last.step + 1;
  if (step > mostSteps) {
    const spoken = { step: last.step, parts: [] };
    return end(turn, eventOfBreakingOff(turn, spoken, { code: 'MAX_STEPS' }, now), before);
  }
  return {
    state: {
      ...{ phase: 'asking', turn, briefing, mostSteps, step, wasSilent, heard: nothingHeard, said: null },
      askedMs: now,
      heardMs: null,
    },
    outputs: [
      ...before,
      { type: 'tell', signal: { type: 'step', stepNumber: step } },
      { type: 'ask', briefing, exchange: turn.exchange },
    ],
  };
}

function hear(before: AskingState, part: Routed | CompletionPart, now: number): Transition {
  const isFirst = before.heardMs === null && part.type !== 'routed' && !('text' in part && part.text === '');
  const state = isFirst ? { ...before, heardMs: now } : before;
  const { heard } = state;
  switch (part.type) {
    case 'text':
      return hearText(state, 'content', part.text);
    case 'reasoning':
      return hearText(state, 'thinking', part.text);
    case 'routed':
      return stay({ ...state, turn: countRoute(state.turn, part), heard: { ...heard, routed: part } });
    case 'tool-call':
      return stay({ ...state, heard: { ...heard, calls: [...heard.calls, part.call] } });
    case 'finish':
      return stay({ ...state, heard: { ...heard, finish: part } });
  }
}

function hearText(state: AskingState, type: SpokenPart['type'], text: string): Transition {
  if (text === '') return stay(state);
  const said = { type, text, before: state.said };
  return { state: { ...state, said }, outputs: [{ type: 'tell', signal: { type, content: text } }] };
}

const byRule = { provider: null, model: null, fallback: false };
const unused = { inputTokens: 0, outputTokens: 0 };

/** As if it came of a model that says it all at once. */
function takeRuled(state: AskingState, { text, calls }: InputOf<'ruled'>, now: number): Transition {
  const ended = { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage: unused } as const;
  const heard = { calls, routed: byRule, finish: ended };
  const said = text === '' ? null : ({ type: 'content', text, before: null } as const);
  const answered = takeAnswer({ ...state, heard, said }, state.turn.metadata.toolTokens, now);
  if (!said) return answered;
  const told = { type: 'tell', signal: { type: 'content', content: text } } as const;
  return { state: answered.state, outputs: [told, ...answered.outputs] };
}

/** The model has ended. One that says nothing is asked once more. */
function takeAnswer(state: AskingState, toolTokens: number, now: number): Transition {
  const { briefing, mostSteps, step, wasSilent } = state;
  const { given } = briefing;
  const { routed, finish: ended, calls } = state.heard;
  if (!routed || !ended) return stop(state, { code: 'MODEL_UNAVAILABLE' }, now);
  const parts = partsOf(state.said);
  const timing = timingOf(state, now);
  const answer = { routed, finish: ended, parts, calls, timing };
  const turn = { ...countStep(state.turn, answer, toolTokens), failedAttempts: [] };
  // A client that says how the model is to answer also gets an answer that this leaves no words for.
  const isReply = parts.some(({ type }) => type === 'content') || (given && ended.reason !== 'stop');
  if (calls.length === 0 && isReply) return end(turn, eventOfReply(turn, step, answer, now));
  if (calls.length === 0 && wasSilent) return stop({ ...state, turn }, { code: 'MODEL_UNAVAILABLE' }, now);
  const follows =
    calls.length === 0 ? 'ask' : calls.some((call) => isOwn(call, briefing)) ? 'call' : 'delegate';
  const after = { turn, briefing, mostSteps, step, wasSilent: wasSilent || follows === 'ask' };
  const events = eventsOfStep(turn, step, answer);
  return write({ ...after, phase: 'recording', parts, calls, follows, unkept: 1 }, events);
}

function timingOf({ turn, briefing, step, askedMs, heardMs }: AskingState, now: number): StepTiming {
  const { recall, recalled = [] } = briefing;
  const firstPartMs = heardMs === null ? null : Math.round(heardMs - askedMs);
  const timing = { ms: Math.round(now - askedMs), firstPartMs, ...failedOf(turn) };
  if (step > 1 || !recall) return timing;
  const afterMs = Math.max(0, Math.round(recall.startedMs - turn.startedMs));
  return { ...timing, recall: { afterMs, ms: Math.round(recall.ms), records: recalled.length } };
}

function takeReturn(state: TurnState, { result }: InputOf<'returned'>): Transition {
  if (state.phase !== 'calling' || state.running === 0) return stay(state);
  const { turn, running, unkept } = state;
  return write({ ...state, running: running - 1, unkept: unkept + 1 }, [eventOfReturn(turn, result)]);
}

function takeKept(state: TurnState, { events, at }: InputOf<'kept'>, now: number): Transition {
  // It may have been kept as cancelled: of what was forgotten nothing is.
  if (state.phase === 'ending') return finish(state.turn, state.recorded ?? { event: state.event, at });
  if (!isUnkept(state)) return stay(state);
  const told = events.flatMap(toldOf);
  const exchange = events.reduce((before, event) => continueExchange(before, event, at), state.turn.exchange);
  const after = { ...state, turn: { ...state.turn, exchange }, unkept: state.unkept - 1 };
  if (after.phase === 'stopping') return settle(after, now, told);
  if (after.phase === 'calling') {
    if (after.running + after.unkept > 0) return { state: after, outputs: told };
    return after.delegates
      ? end(after.turn, eventOfDelegation(after.turn, now), told)
      : ask(after, now, told);
  }
  if (after.follows === 'ask') return ask(after, now, told);
  if (after.follows === 'delegate') return end(after.turn, eventOfDelegation(after.turn, now), told);
  const { turn, briefing, mostSteps, step, wasSilent } = after;
  const calls = after.calls.filter((call) => isOwn(call, briefing));
  const delegates = calls.length < after.calls.length;
  const running = calls.length;
  return {
    state: { phase: 'calling', turn, briefing, mostSteps, step, wasSilent, running, unkept: 0, delegates },
    outputs: [...told, { type: 'call', calls, briefing }],
  };
}

/** What hark runs itself; the rest is left to the client. */
function isOwn({ name }: ToolCall, { given }: Briefing): boolean {
  return !given?.tools && !given?.clientTools?.some((tool) => tool.name === name);
}

/** What the model said was told when it came. */
function toldOf(event: ChatEvent): readonly TurnOutput[] {
  if (event.type === toolCalled.type) return [{ type: 'tell', signal: callSignal(event.data) }];
  if (event.type === toolReturned.type) return [{ type: 'tell', signal: returnSignal(event.data) }];
  return noOutputs;
}
