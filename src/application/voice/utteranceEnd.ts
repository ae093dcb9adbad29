import { silenceThatEnds } from './endOfTurn.ts';
import {
  after,
  type HeardSpeech,
  ONSET_MS,
  stay,
  type TurnTakingOutput,
  type TurnTakingState,
  type TurnTakingStep,
} from './turnTakingState.ts';

/* How what is listened to ends: as an utterance, or as nothing. */

/** With no words yet, less speech than this is none; where recognition has found none, a cough is none either. */
const LEAST_SPEECH_MS = 128;
const LEAST_WORDLESS_MS = 400;
/** Held speech is an utterance if words come so long after it: a short "stop". */
const WORDS_LATE_MS = 1_000;
const TAIL_MS = 200;
/** Of push to talk, the end counts. */
const LONGEST_PUSHED_MS = 300_000;
/** For so long somebody who spoke is taken to be where they were. */
const NEAR_MS = 30_000;
/** Of what was said, as far as it may bear on what comes. */
export const MOST_SAID = 600;

export function silenceWanted(
  { options: { detection, language }, asked, unansweredWords }: TurnTakingState,
  { words, isFinal, continues }: Pick<HeardSpeech, 'words' | 'isFinal' | 'continues'>,
): number {
  if (detection?.type !== 'semantic_vad') return detection?.silenceMs ?? Number.POSITIVE_INFINITY;
  const text = continues && words !== '' ? `${unansweredWords} ${words}` : words;
  return silenceThatEnds({ text, isFinal, eagerness: detection.eagerness, asked, language });
}

/** What follows from silence: the end of a turn, or that it was nothing. */
export function settle(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  if (speech.phase === 'open') {
    const isOver = speech.silenceMs >= speech.endsAfterMs;
    return isOver ? end(state, speech) : stay(state);
  }
  if (!speech.isPaused) return stay(state);
  const isNothing = speech.isFinal || speech.silenceMs >= WORDS_LATE_MS || speech.speechMs < ONSET_MS;
  return isNothing ? drop(state) : raise(state);
}

function end(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  const leastMs = speech.isFinal ? LEAST_WORDLESS_MS : LEAST_SPEECH_MS;
  return speech.words === '' && speech.speechMs < leastMs ? drop(state) : take(state, speech);
}

export function take(state: TurnTakingState, speech: HeardSpeech): TurnTakingStep {
  const isPushed = state.options.detection === null;
  const fromMs = Math.max(speech.fromMs, isPushed ? state.heardMs - LONGEST_PUSHED_MS : 0);
  const toMs = isPushed ? state.heardMs : Math.min(state.heardMs, speech.lastMs + TAIL_MS);
  const out: TurnTakingOutput[] = isStarted(state) ? [{ type: 'stopped', atMs: speech.lastMs }] : [];
  const over = speech.isOver ? state.said : '';
  out.push({ type: 'utterance', fromMs, toMs, continues: speech.continues, over });
  const unansweredWords = `${speech.continues ? state.unansweredWords : ''} ${speech.words}`.slice(
    -MOST_SAID,
  );
  const { loudness } = speech;
  const near = loudness ? { level: loudness.near, untilMs: state.heardMs + NEAR_MS } : state.near;
  const taken = {
    ...state,
    near,
    speech: undefined,
    takenMs: toMs,
    unansweredMs: speech.lastMs,
    unansweredWords,
  };
  return after(out, raise(taken));
}

/** Whether clients were told of the speech. */
function isStarted({ speech, options }: TurnTakingState): boolean {
  return speech?.phase === 'open' && options.detection !== null;
}

export function drop(state: TurnTakingState): TurnTakingStep {
  const { speech } = state;
  const out: TurnTakingOutput[] =
    speech && isStarted(state) ? [{ type: 'stopped', atMs: speech.lastMs }] : [];
  if (speech && speech.phase !== 'suspected') out.push({ type: 'drop' });
  return after(out, raise({ ...state, speech: undefined }));
}

export function raise(state: TurnTakingState): TurnTakingStep {
  return state.isLowered ? { state: { ...state, isLowered: false }, out: [{ type: 'raise' }] } : stay(state);
}
