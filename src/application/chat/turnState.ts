import type { ChatEvent, TurnPlace } from '../../events/chat.ts';
import type { TurnMetadata, turnErrorCodes } from '../../events/turnEndings.ts';
import type { FailedAttempt, SpokenPart } from '../../events/turns.ts';
import type { CompletionPart, ToolCall } from '../../gateways/models/gateway.ts';
import type { Exchange, ToolReturn } from '../../projections/chat/exchange.ts';
import type { ProviderId } from '../../vocabulary.ts';
import type { AttemptFailed, Routed } from '../models.ts';
import type { Briefing } from './briefing.ts';
import type { TurnSignal } from './signals.ts';

/* What a turn of chat is at each moment, what comes in and what goes out: see turnMachine.ts. */

/** What is known of a turn in every state. */
export interface TurnSoFar {
  readonly place: TurnPlace & { readonly conversationId: string };
  /** What happened so far, as far as it is kept. */
  readonly exchange: Exchange;
  /** What is counted: who answered, how many steps and tools it took, and what they used. */
  readonly metadata: TurnMetadata;
  readonly startedMs: number;
  /** Of the step that is under way: models that did not answer. */
  readonly failedAttempts: readonly FailedAttempt[];
}

/** Rules are no model of anybody's. */
type Answerer = Pick<Routed, 'fallback' | 'pricing'> & {
  readonly provider: ProviderId | null;
  readonly model: string | null;
};
type Finish = Extract<CompletionPart, { type: 'finish' }>;

/** What the model has said so far in a step, beside its words. */
export interface Heard {
  readonly calls: readonly ToolCall[];
  readonly routed: Answerer | null;
  readonly finish: Finish | null;
}

/** Words as they came, the last first. They are joined when the step is over: hundreds may come in a second. */
export interface SpokenPiece {
  readonly type: SpokenPart['type'];
  readonly text: string;
  readonly before: SpokenPiece | null;
}

export interface TurnStep {
  readonly turn: TurnSoFar;
  readonly briefing: Briefing;
  readonly mostSteps: number;
  /** Of the model, from 1. */
  readonly step: number;
  /** It said nothing once, and was asked again. */
  readonly wasSilent: boolean;
}

/** A turn's end, as the log has it. */
export interface RecordedEnding {
  readonly event: ChatEvent;
  readonly at: number;
}

type FailureCode = (typeof turnErrorCodes)[number];
/** How a turn ends that nobody else has ended, and that has no reply. */
export type BrokenOff = 'cancelled' | 'interrupted' | { readonly code: FailureCode };

export interface WaitingState {
  readonly phase: 'waiting' | 'preparing';
  readonly turn: TurnSoFar;
}
export interface AskingState extends TurnStep {
  readonly phase: 'asking';
  readonly askedMs: number;
  /** When the first part of the answer came. */
  readonly heardMs: number | null;
  readonly heard: Heard;
  readonly said: SpokenPiece | null;
}
/** A step, or a summary, and what follows when it is kept. */
export interface RecordingState extends TurnStep {
  readonly phase: 'recording';
  readonly parts: readonly SpokenPart[];
  readonly calls: readonly ToolCall[];
  readonly unkept: number;
  readonly follows: 'ask' | 'call' | 'delegate';
}
/** Of the calls of a step: how many have not returned, and how many have, and are not kept yet. */
export interface CallingState extends TurnStep {
  readonly phase: 'calling';
  readonly running: number;
  readonly unkept: number;
  /** Others of the step are left to the client. */
  readonly delegates: boolean;
}
export interface StoppingState {
  readonly phase: 'stopping';
  readonly turn: TurnSoFar;
  readonly step: number;
  readonly parts: readonly SpokenPart[];
  readonly ending: BrokenOff | RecordedEnding;
  readonly unkept: number;
}
interface EndingState {
  readonly phase: 'ending';
  readonly turn: TurnSoFar;
  readonly event: ChatEvent;
  /** What the log took in place of the event. */
  readonly recorded: RecordedEnding | null;
}
interface LookingUpState {
  readonly phase: 'looking up';
  readonly turn: TurnSoFar;
  readonly otherwise: ChatEvent;
}
interface OverState {
  readonly phase: 'over';
  readonly turn: TurnSoFar;
}

export type RunningState = WaitingState | AskingState | RecordingState | CallingState;
export type TurnState = RunningState | StoppingState | EndingState | LookingUpState | OverState;

export type TurnInput =
  /** Those before it are over. */
  | { readonly type: 'due' }
  | {
      readonly type: 'briefed';
      readonly briefing: Briefing;
      readonly mostSteps: number;
      readonly toolTokens: number;
    }
  /** From the model. */
  | Routed
  | CompletionPart
  | { readonly type: 'attempt failed'; readonly attempt: AttemptFailed }
  | { readonly type: 'answered'; readonly toolTokens: number }
  /** No model answers, and rules do. */
  | { readonly type: 'ruled'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly type: 'returned'; readonly result: ToolReturn }
  /** It is written down, or will be when the log is back. */
  | { readonly type: 'kept'; readonly events: readonly ChatEvent[]; readonly at: number }
  /** It will never be written down. */
  | { readonly type: 'refused'; readonly code: FailureCode | 'TURN_OVER'; readonly at: number }
  /** The briefing, the model or a tool did. */
  | { readonly type: 'failed'; readonly code: FailureCode | 'TURN_OVER' }
  | { readonly type: 'stopped'; readonly as: 'cancelled' | 'interrupted' }
  /** Its end is in the log, whoever wrote it. */
  | { readonly type: 'recorded'; readonly ending: RecordedEnding }
  | { readonly type: 'looked up'; readonly ending: RecordedEnding | undefined; readonly at: number };

export type InputOf<Type extends TurnInput['type']> = Extract<TurnInput, { type: Type }>;

export type TurnOutput =
  | { readonly type: 'tell'; readonly signal: TurnSignal }
  | { readonly type: 'write'; readonly events: readonly ChatEvent[] }
  | { readonly type: 'remember'; readonly exchange: Exchange }
  | { readonly type: 'brief' | 'stop' | 'look up' }
  | { readonly type: 'ask'; readonly briefing: Briefing; readonly exchange: Exchange }
  | { readonly type: 'call'; readonly calls: readonly ToolCall[]; readonly briefing: Briefing };

export interface Transition {
  readonly state: TurnState;
  readonly outputs: readonly TurnOutput[];
}

export const noOutputs: readonly TurnOutput[] = [];

export function stay(state: TurnState): Transition {
  return { state, outputs: noOutputs };
}

export function write(state: TurnState, events: readonly ChatEvent[], before = noOutputs): Transition {
  return { state, outputs: [...before, { type: 'write', events }] };
}
