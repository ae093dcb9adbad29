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

/** Speech while hark thinks or speaks: lowered at once, decided a little later. */
export function hold(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  const step = decide(state, speech);
  const held = step.state.speech;
  if (held?.phase === 'held' && held.speechMs >= BEHIND_MS && isBehind(state, held.loudness?.now))
    return after(step.out, drop({ ...step.state, behindMs: state.heardMs }));
  if (held?.phase === 'held' && isMurmur(held)) return after(step.out, raise(step.state));
  // Who hears itself would speak low for ever.
  const mayLower = state.doing === 'speaking' && !state.isLowered && !state.hasEcho;
  const lowers = mayLower && state.options.detection?.interruptResponse;
  if (!lowers || step.out.some(({ type }) => type === 'interrupt')) return step;
  return after([{ type: 'lower' }], { ...step, state: { ...step.state, isLowered: true } });
}

/** It goes on and on, and never is certain. */
function isMurmur({ speechMs, sureMs }: HeardSpeech): boolean {
  return speechMs >= MURMUR_MS && sureMs < ONSET_MS;
}

/** Whether held speech interrupts, by its length or by its words. */
export function decide(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  const { detection, interruptionMs } = state.options;
  const meaning = meaningOf(speech.words, state.said, state.doing === 'speaking');
  if (meaning === 'echo') return stay({ ...state, hasEcho: true });
  const wantedMs = detection?.interruptionMs ?? interruptionMs;
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

/** While hark thinks or speaks, a sound lowers it sooner than it counts as speech that interrupts. */
export function sureOf({ doing }: TurnTakingState, { threshold }: TurnDetection): number {
  const more = doing === 'speaking' ? 0.15 : doing === 'thinking' ? 0.05 : -HYSTERESIS;
  return more > 0 ? Math.max(threshold, Math.min(0.9, threshold + more)) : threshold + more;
}
