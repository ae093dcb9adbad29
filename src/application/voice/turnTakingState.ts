import type { TurnDetection, VoiceState } from './conversation.ts';
import { isFarFrom, type UtteranceLevel } from './nearness.ts';

/*
 * What is known at each moment of whose turn it is, what comes in and what goes out: see turnTaking.ts. Positions are
 * milliseconds of all that was heard in the session.
 */

export interface TurnTakingOptions {
  /** Null: push to talk. */
  readonly detection: TurnDetection | null;
  /** How long speech has to last to end a reply, where `detection` does not say; 0 ends it at once. */
  readonly interruptionMs: number;
  /** Nothing is heard while hark speaks, nor of the room right after: for a loudspeaker beside the microphone. */
  readonly halfDuplex: boolean;
  readonly language?: string | undefined;
}

export type TurnTakingInput =
  /** The 32 ms that end at `atMs`. Push to talk asks for no probability: any will do. */
  | {
      readonly type: 'window';
      readonly probability: number;
      readonly atMs: number;
      /** In decibels, from any zero. Where it is not known, whoever is heard is near. */
      readonly level?: number | undefined;
    }
  /** What was understood so far of what `listen` began; `isFinal` when that is all up to the last `pause`. */
  | { readonly type: 'words'; readonly text: string; readonly isFinal?: boolean }
  /** What hark does now; `asked` when the last that it said was a question. */
  | { readonly type: 'doing'; readonly doing: VoiceState; readonly asked?: boolean }
  /** Words that it speaks from now on: hearing them again is no interruption. */
  | { readonly type: 'saying'; readonly text: string }
  | { readonly type: 'commit' | 'clear'; readonly atMs: number }
  | { readonly type: 'options'; readonly options: TurnTakingOptions }
  /** So much time went by in which no audio came at all. */
  | { readonly type: 'tick'; readonly ms: number };

/**
 * Each `listen` comes to one `utterance` or `drop`, each `started` to one `stopped` before that, each `lower` to one
 * `raise` or `interrupt`, each `pause` to `resumed` or the end of what was listened to.
 */
export type TurnTakingOutput =
  /** Recognition begins, with what was heard from here on. Nobody is told yet: it may be nothing. */
  | { readonly type: 'listen'; readonly fromMs: number }
  /** The user speaks: told to clients, where it was not before. */
  | { readonly type: 'started'; readonly atMs: number }
  | { readonly type: 'stopped'; readonly atMs: number }
  /** This may be the end: recognise what is there, prepare the turn, but for anything that others could notice. */
  | { readonly type: 'pause'; readonly atMs: number }
  | { readonly type: 'resumed' }
  /**
   * Take the turn. `continues`: hark had not spoken since the last one, which it belongs to. `over`: what hark was saying
   * when it began, which it may be an echo of.
   */
  | {
      readonly type: 'utterance';
      readonly fromMs: number;
      readonly toMs: number;
      readonly continues: boolean;
      readonly over: string;
    }
  /** It was nothing: there is no utterance, and what hark does goes on. */
  | { readonly type: 'drop' }
  /** Speak lower, it may be an interruption. */
  | { readonly type: 'lower' }
  /** It was none: go on as before. */
  | { readonly type: 'raise' }
  /** The turn and its speech are over. */
  | { readonly type: 'interrupt'; readonly atMs: number };

/** What is being listened to. */
export interface HeardSpeech {
  /** `suspected`: nobody was told anything. `held`: recognised, while hark thinks or speaks. `open`: the user's turn. */
  readonly phase: 'suspected' | 'held' | 'open';
  readonly fromMs: number;
  readonly onsetMs: number;
  /** Where the last speech in it ended. */
  readonly lastMs: number;
  readonly speechMs: number;
  /** Of that, what is certain enough to interrupt. */
  readonly sureMs: number;
  readonly silenceMs: number;
  /** Speech in a silence that may be a click. */
  readonly resumingMs: number;
  readonly isPaused: boolean;
  readonly loudness: UtteranceLevel | undefined;
  readonly words: string;
  readonly isFinal: boolean;
  /** Silence of this length ends it. */
  readonly endsAfterMs: number;
  readonly continues: boolean;
  /** It began while hark spoke. */
  readonly isOver: boolean;
}

export interface TurnTakingState {
  readonly options: TurnTakingOptions;
  readonly doing: VoiceState;
  readonly asked: boolean;
  readonly heardMs: number;
  /** All before it belongs to an utterance, or was cleared. */
  readonly takenMs: number;
  /** Where the last utterance ended, as long as hark has not spoken since. */
  readonly unansweredMs: number | undefined;
  /** What was understood of it: what continues it is heard together with it. */
  readonly unansweredWords: string;
  readonly isLowered: boolean;
  readonly speech: HeardSpeech | undefined;
  /** What it says, as far as an echo may reach back. */
  readonly said: string;
  /** It has heard itself: length alone is no interruption any more. */
  readonly hasEcho: boolean;
  readonly deafMs: number;
  /** How loud the user was in the last utterance, and until when that counts. */
  readonly near: { readonly level: number; readonly untilMs: number } | undefined;
  /** When somebody else was heard last over what hark does. */
  readonly behindMs: number | undefined;
}

/** So much lower than the user was lately that it is somebody else, or a television. */
export function isBehind({ near, heardMs }: TurnTakingState, level: number | undefined): boolean {
  return near !== undefined && level !== undefined && heardMs <= near.untilMs && isFarFrom(near.level, level);
}

export interface TurnTakingStep {
  readonly state: TurnTakingState;
  readonly out: readonly TurnTakingOutput[];
}

export const WINDOW_MS = 32;
/** So much speech begins a turn; one window alone may be a click. */
export const ONSET_MS = 64;
/** Below what begins speech, so that it does not flicker. */
export const HYSTERESIS = 0.15;
const NOTHING: readonly TurnTakingOutput[] = [];

export function beginTurnTaking(options: TurnTakingOptions): TurnTakingState {
  return {
    options,
    doing: 'listening',
    asked: false,
    heardMs: 0,
    takenMs: 0,
    unansweredMs: undefined,
    unansweredWords: '',
    isLowered: false,
    speech: undefined,
    said: '',
    hasEcho: false,
    deafMs: 0,
    near: undefined,
    behindMs: undefined,
  };
}

export function isBusy({ doing }: TurnTakingState): boolean {
  return doing === 'speaking' || doing === 'thinking';
}

export function stay(state: TurnTakingState): TurnTakingStep {
  return { state, out: NOTHING };
}

export function after(out: readonly TurnTakingOutput[], step: TurnTakingStep): TurnTakingStep {
  return out.length === 0 ? step : { state: step.state, out: [...out, ...step.out] };
}
