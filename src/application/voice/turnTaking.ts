import type { VoiceState } from './conversation.ts';
import { decide, hold, open, sureOf, voiceFrom } from './heldSpeech.ts';
import { isFar, loudnessAfter } from './nearness.ts';
import {
  after,
  type HeardSpeech,
  isBehind,
  isBusy,
  ONSET_MS,
  stay,
  type TurnTakingInput,
  type TurnTakingOptions,
  type TurnTakingOutput,
  type TurnTakingState,
  type TurnTakingStep,
  WINDOW_MS,
} from './turnTakingState.ts';
import { drop, MOST_SAID, raise, settle, silenceWanted, take } from './utteranceEnd.ts';

/*
 * Whose turn it is, from what is heard and what hark does: pure, with no clock of its own. Times are counted by what
 * comes: windows of audio, and ticks where none comes.
 */

/** What was suspected is forgotten after so much silence. */
const DOUBT_MS = 96;
const PAUSE_MS = 200;
const LONGEST_MS = 60_000;
const CONTINUES_MS = 1_500;
/** Of a room, after hark spoke. */
const ROOM_MS = 300;
/** A television is silent for less between two sentences. */
const BEHIND_FOR_MS = 2_000;

export function next(state: TurnTakingState, input: TurnTakingInput): TurnTakingStep {
  switch (input.type) {
    case 'window':
      return window(state, input);
    case 'words':
      return words(state, input.text, input.isFinal === true);
    case 'doing':
      return doing(state, input.doing, input.asked);
    case 'saying':
      return stay({ ...state, said: `${state.said} ${input.text}`.slice(-MOST_SAID) });
    case 'commit':
      return commit({ ...state, heardMs: Math.max(state.heardMs, input.atMs) });
    case 'clear': {
      const heardMs = Math.max(state.heardMs, input.atMs);
      const { state: dropped, out } = drop({ ...state, heardMs });
      return { state: { ...dropped, takenMs: heardMs }, out };
    }
    case 'options': {
      const isOther = (state.options.detection === null) !== (input.options.detection === null);
      const step = isOther ? drop(state) : stay(state);
      return { state: withOptions(step.state, input.options), out: step.out };
    }
    case 'tick':
      return silence(state, Math.max(0, input.ms));
  }
}

function withOptions(before: TurnTakingState, options: TurnTakingOptions): TurnTakingState {
  const state = { ...before, options };
  const { speech } = state;
  if (!speech) return state;
  return { ...state, speech: { ...speech, endsAfterMs: silenceWanted(state, speech) } };
}

function window(before: TurnTakingState, { probability, atMs, level }: Window): TurnTakingStep {
  const state = { ...before, heardMs: Math.max(before.heardMs, atMs) };
  const { detection, halfDuplex } = state.options;
  if (!detection)
    return state.speech ? stay(state) : begin(state, 'open', { onsetMs: state.takenMs, isSure: true });
  if (halfDuplex && state.doing === 'speaking') return stay(state);
  if (state.deafMs > 0) return stay({ ...state, deafMs: state.deafMs - WINDOW_MS });
  const { speech: known } = state;
  const isVoice = probability >= voiceFrom(state, detection);
  // Who was found to be somebody else stays so until nobody speaks for a while.
  if (isVoice && !known && isBusy(state) && isStillBehind(state, level))
    return stay({ ...state, behindMs: state.heardMs });
  const speech = known && level !== undefined ? withLoudness(state, known, level, isVoice) : known;
  const heard = { ...state, speech };
  if (!isVoice || (speech?.phase === 'open' && isFar(speech.loudness))) return silence(heard, WINDOW_MS);
  const isSure = probability >= sureOf(state, detection);
  if (speech) return goOn(heard, speech, isSure);
  const loudness =
    level === undefined ? undefined : loudnessAfter(undefined, { level, isSpeech: true, ms: WINDOW_MS });
  return begin(heard, isBusy(state) ? 'held' : 'suspected', { onsetMs: atMs - WINDOW_MS, isSure, loudness });
}

type Window = Extract<TurnTakingInput, { type: 'window' }>;

/** What has been far away for a while was silence all along. */
function withLoudness(
  { heardMs }: TurnTakingState,
  speech: HeardSpeech,
  level: number,
  isSpeech: boolean,
): HeardSpeech {
  const loudness = loudnessAfter(speech.loudness, { level, isSpeech, ms: WINDOW_MS });
  if (!isFar(loudness) || speech.phase !== 'open') return { ...speech, loudness };
  const silenceMs = Math.max(speech.silenceMs, loudness.farMs - WINDOW_MS);
  return { ...speech, loudness, silenceMs, lastMs: Math.min(speech.lastMs, heardMs - loudness.farMs) };
}

function isStillBehind(state: TurnTakingState, level: number | undefined): boolean {
  const { behindMs, heardMs } = state;
  return behindMs !== undefined && heardMs - behindMs <= BEHIND_FOR_MS && isBehind(state, level);
}

interface Onset {
  readonly onsetMs: number;
  readonly isSure: boolean;
  readonly loudness?: HeardSpeech['loudness'];
}

function begin(
  state: TurnTakingState,
  phase: HeardSpeech['phase'],
  { onsetMs, isSure, loudness }: Onset,
): TurnTakingStep {
  const { detection } = state.options;
  const { unansweredMs } = state;
  const continues = unansweredMs !== undefined && onsetMs - unansweredMs <= CONTINUES_MS;
  const speech: HeardSpeech = {
    phase,
    fromMs: Math.max(state.takenMs, onsetMs - (detection?.prefixPaddingMs ?? 0)),
    onsetMs,
    lastMs: state.heardMs,
    speechMs: WINDOW_MS,
    sureMs: isSure ? WINDOW_MS : 0,
    silenceMs: 0,
    resumingMs: 0,
    isPaused: false,
    loudness,
    words: '',
    isFinal: false,
    endsAfterMs: silenceWanted(state, { words: '', isFinal: false, continues }),
    continues,
    isOver: state.doing === 'speaking',
  };
  const listening = { ...state, speech };
  if (phase === 'suspected') return stay(listening);
  const listen = { type: 'listen', fromMs: speech.fromMs } as const;
  if (phase === 'open') return { state: listening, out: [listen] };
  return after([listen], hold(listening, speech));
}

function goOn(state: TurnTakingState, before: HeardSpeech, isSure: boolean): TurnTakingStep {
  const { phase, silenceMs, resumingMs } = before;
  // A click in the silence is none: the silence goes on, though it does not end with one.
  if (phase === 'open' && silenceMs > 0 && resumingMs + WINDOW_MS < ONSET_MS)
    return stay({
      ...state,
      speech: { ...before, resumingMs: resumingMs + WINDOW_MS, silenceMs: silenceMs + WINDOW_MS },
    });
  const speech: HeardSpeech = {
    ...before,
    lastMs: state.heardMs,
    speechMs: before.speechMs + WINDOW_MS + resumingMs,
    sureMs: before.sureMs + (isSure ? WINDOW_MS : 0),
    silenceMs: 0,
    resumingMs: 0,
    isPaused: false,
    isFinal: false,
    endsAfterMs: before.isFinal ? silenceWanted(state, { ...before, isFinal: false }) : before.endsAfterMs,
  };
  const resumed: TurnTakingOutput[] = before.isPaused ? [{ type: 'resumed' }] : [];
  const going = { ...state, speech };
  if (phase === 'open') return after(resumed, limited(going));
  if (phase === 'held') return after(resumed, hold(going, speech));
  if (speech.speechMs < ONSET_MS) return stay(going);
  return after([{ type: 'listen', fromMs: speech.fromMs }], open(going, speech));
}

function silence(before: TurnTakingState, ms: number): TurnTakingStep {
  const state = { ...before, deafMs: Math.max(0, before.deafMs - ms) };
  const { detection } = state.options;
  if (!state.speech || !detection) return stay(state);
  const speech = { ...state.speech, silenceMs: state.speech.silenceMs + ms, resumingMs: 0 };
  const quiet = { ...state, speech };
  if (speech.phase === 'suspected')
    return stay(speech.silenceMs >= DOUBT_MS ? { ...quiet, speech: undefined } : quiet);
  if (speech.isPaused || speech.silenceMs < PAUSE_MS) return settle(quiet, speech);
  const paused = { ...speech, isPaused: true };
  const pause = { type: 'pause', atMs: speech.lastMs } as const;
  return after([pause], settle({ ...quiet, speech: paused }, paused));
}

function words(state: TurnTakingState, text: string, isFinal: boolean): TurnTakingStep {
  if (!state.speech || state.speech.phase === 'suspected') return stay(state);
  const understood = { ...state.speech, words: text, isFinal };
  const speech = { ...understood, endsAfterMs: silenceWanted(state, understood) };
  const told = { ...state, speech };
  if (speech.phase === 'held') {
    const step = decide(told, speech);
    const held = step.state.speech;
    if (!held || held.silenceMs === 0) return step;
    const settled = settle(step.state, held);
    return after(step.out, settled);
  }
  return speech.silenceMs > 0 && state.options.detection ? settle(told, speech) : stay(told);
}

/** The cap on listening: what goes on is the next utterance. */
function limited(state: TurnTakingState): TurnTakingStep {
  const { speech } = state;
  if (!speech || state.heardMs - speech.fromMs < LONGEST_MS) return stay(state);
  const { state: ended, out } = take(state, speech);
  const begun = begin(ended, 'open', { onsetMs: ended.takenMs, isSure: true });
  return after([...out, ...begun.out], {
    state: begun.state,
    out: [{ type: 'started', atMs: ended.takenMs }],
  });
}

/** The client says that the utterance is over, whatever was heard in it. */
function commit(state: TurnTakingState): TurnTakingStep {
  const { speech, heardMs, takenMs } = state;
  if (speech && speech.phase !== 'suspected') return take(state, { ...speech, lastMs: heardMs });
  const fromMs = Math.max(takenMs, heardMs - LONGEST_MS);
  if (fromMs >= heardMs) return stay(state);
  return {
    state: { ...state, speech: undefined, takenMs: heardMs, unansweredMs: heardMs, unansweredWords: '' },
    out: [
      { type: 'listen', fromMs },
      { type: 'utterance', fromMs, toMs: heardMs, continues: false, over: '' },
    ],
  };
}

function doing(before: TurnTakingState, now: VoiceState, asked?: boolean): TurnTakingStep {
  const hasSpoken = before.doing === 'speaking' && now !== 'speaking';
  const state: TurnTakingState = {
    ...before,
    doing: now,
    asked: asked ?? (now === 'thinking' ? false : before.asked),
    said: now === 'thinking' ? '' : before.said,
    unansweredMs: now === 'speaking' ? undefined : before.unansweredMs,
    deafMs: hasSpoken && before.options.halfDuplex ? ROOM_MS : before.deafMs,
  };
  const { speech } = state;
  if (now === 'speaking' && state.options.halfDuplex && speech && state.options.detection) return drop(state);
  if (speech?.phase === 'suspected' && isBusy(state)) {
    const held: HeardSpeech = { ...speech, phase: 'held' };
    return after([{ type: 'listen', fromMs: held.fromMs }], hold({ ...state, speech: held }, held));
  }
  if (speech?.phase !== 'held') return isBusy(state) ? stay(state) : raise(state);
  if (isBusy(state)) return speech.silenceMs === 0 ? hold(state, speech) : stay(state);
  // The reply ended meanwhile: there is nothing to interrupt, and who speaks has the turn.
  const raised = raise(state);
  if (speech.speechMs < ONSET_MS) return raised;
  return after(raised.out, open(raised.state, speech));
}
