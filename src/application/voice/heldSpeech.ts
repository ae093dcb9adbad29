import type { TurnDetection } from './conversation.ts';
import { meaningOf } from './interruption.ts';
import {
  after,
  type HeardSpeech,
  HYSTERESIS,
  isBehind,
  isBusy,
  ONSET_MS,
  stay,
  type TurnTakingState,
  type TurnTakingStep,
  WINDOW_MS,
} from './turnTakingState.ts';
import { drop, raise } from './utteranceEnd.ts';

/* Speech while hark thinks or speaks: it lowers what is said at once, and interrupts once it is certain to be meant. */

/** Longer than "mhm" or "yeah, right" while hark speaks: it is a turn, whatever the first words were. */
const LISTENING_SIGN_MS = 1_500;
/** A turn that is thought about is not lost to a click. */
const LEAST_THINKING_MS = 250;
/** Somebody in another room: hark does not speak low for that. */
const MURMUR_MS = 500;
/** The first sounds of a word are weak: by then whoever is near was heard. */
const BEHIND_MS = 200;
/** Of the threshold, where an answer is waited for, or hark speaks. */
const AWAITED = 0.8;
/** Of the threshold, where hark would speak lower for it: what is no speech is hardly ever taken for even that much. */
const WEAK = 0.33;

/** Speech while hark thinks or speaks: lowered at once, decided a little later. */
export function hold(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  const step = decide(state, speech);
  const held = step.state.speech;
  if (held?.phase === 'held' && held.speechMs >= BEHIND_MS && isBehind(state, held.loudness?.now))
    return after(step.out, drop({ ...step.state, behindMs: state.heardMs }));
  if (held?.phase === 'held' && isMurmur(held)) return after(step.out, raise(step.state));
  if (!mayLower(state) || step.out.some(({ type }) => type === 'interrupt')) return step;
  return after([{ type: 'lower' }], { ...step, state: { ...step.state, isLowered: true } });
}

/** Who hears itself would speak low for ever. */
function mayLower({ doing, isLowered, hasEcho, options }: TurnTakingState): boolean {
  return doing === 'speaking' && !isLowered && !hasEcho && options.detection?.interruptResponse === true;
}

/** It goes on and on, and never is certain. */
function isMurmur({ speechMs, sureMs }: HeardSpeech): boolean {
  return speechMs >= MURMUR_MS && sureMs < ONSET_MS;
}

/** Whether held speech interrupts, by its length or by its words. */
export function decide(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  const meaning = meaningOf(speech.words, state.said, state.doing === 'speaking');
  if (meaning === 'echo') return stay({ ...state, hasEcho: true });
  const wantedMs = interruptionOf(state);
  // Whoever wants hark to end at once takes it that anybody may interrupt.
  if (wantedMs > 0 && isBehind(state, speech.loudness?.now)) return stay(state);
  if (meaning === 'turn') return open(state, speech);
  const leastMs = state.doing === 'thinking' ? Math.max(wantedMs, LEAST_THINKING_MS) : wantedMs;
  const isDoubtful = meaning === 'listening' || (state.hasEcho && state.doing === 'speaking');
  return speech.sureMs >= Math.max(WINDOW_MS, isDoubtful ? LISTENING_SIGN_MS : 0, leastMs)
    ? open(state, speech)
    : stay(state);
}

/** It is the user's turn. */
export function open(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  const interrupts = isBusy(state) && state.options.detection?.interruptResponse === true;
  const opened: TurnTakingState = {
    ...state,
    speech: { ...speech, phase: 'open' },
    isLowered: interrupts ? false : state.isLowered,
  };
  const started = { type: 'started', atMs: speech.onsetMs } as const;
  return {
    state: opened,
    out: interrupts ? [{ type: 'interrupt', atMs: state.heardMs }, started] : [started],
  };
}

function interruptionOf({ options: { detection, interruptionMs } }: TurnTakingState): number {
  return detection?.interruptionMs ?? interruptionMs;
}

/** What counts as voice: what begins while hark speaks may be weak, and what goes on weaker than what begins. */
export function voiceFrom(state: TurnTakingState, { threshold }: TurnDetection): number {
  const { doing, asked, speech } = state;
  const isAwaited = doing === 'speaking' || (asked && !isBusy(state));
  const bar = isAwaited ? threshold * AWAITED : threshold;
  if (!speech) return mayLower(state) ? threshold * WEAK : bar;
  return speech.silenceMs === 0 ? bar - HYSTERESIS : bar;
}

/** While hark thinks or speaks, a sound lowers it sooner than it counts as speech that interrupts. */
export function sureOf(state: TurnTakingState, { threshold }: TurnDetection): number {
  const { doing } = state;
  // Whoever wants hark to end at once has no time for more.
  if (doing === 'speaking' && interruptionOf(state) === 0) return threshold * AWAITED;
  const more = doing === 'speaking' ? 0.15 : doing === 'thinking' ? 0.05 : -HYSTERESIS;
  return more > 0 ? Math.max(threshold, Math.min(0.9, threshold + more)) : threshold + more;
}
