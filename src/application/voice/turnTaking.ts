import type { TurnDetection, VoiceState } from './conversation.ts';
import { silenceThatEnds } from './endOfTurn.ts';
import { meaningOf } from './interruption.ts';

/*
 * Whose turn it is, from what is heard and what hark does: pure, with no clock of its own. Positions are milliseconds of
 * all that was heard in the session. Times are counted by what comes: windows of audio, and ticks where none comes.
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
  | { readonly type: 'window'; readonly probability: number; readonly atMs: number }
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
interface Speech {
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
  readonly speech: Speech | undefined;
  /** What it says, as far as an echo may reach back. */
  readonly said: string;
  /** It has heard itself: length alone is no interruption any more. */
  readonly hasEcho: boolean;
  readonly deafMs: number;
}

export interface TurnTakingStep {
  readonly state: TurnTakingState;
  readonly out: readonly TurnTakingOutput[];
}

const WINDOW_MS = 32;
/** So much speech begins a turn; one window alone may be a click. */
const ONSET_MS = 64;
/** What was suspected is forgotten after so much silence. */
const DOUBT_MS = 96;
/** With no words yet, less speech than this is none; where recognition has found none, a cough is none either. */
const LEAST_SPEECH_MS = 128;
const LEAST_WORDLESS_MS = 400;
const PAUSE_MS = 200;
/** Held speech is an utterance if words come so long after it: a short "stop". */
const WORDS_LATE_MS = 1_000;
/** Longer than "mhm" or "yeah, right" while hark speaks: it is a turn, whatever the first words were. */
const LISTENING_SIGN_MS = 1_500;
const TAIL_MS = 200;
const LONGEST_MS = 60_000;
/** Of push to talk, the end counts. */
const LONGEST_PUSHED_MS = 300_000;
/** A turn that is thought about is not lost to a click. */
const LEAST_THINKING_MS = 250;
const CONTINUES_MS = 1_500;
/** Of a room, after hark spoke. */
const ROOM_MS = 300;
const MOST_SAID = 600;
/** Somebody in another room: hark does not speak low for that. */
const MURMUR_MS = 500;
/** Of the threshold, where an answer is waited for, or hark may have to speak lower. */
const AWAITED = 0.8;
/** Below what begins speech, so that it does not flicker. */
const HYSTERESIS = 0.15;

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
  };
}

export function next(state: TurnTakingState, input: TurnTakingInput): TurnTakingStep {
  switch (input.type) {
    case 'window':
      return window(state, input.probability, input.atMs);
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

function window(before: TurnTakingState, probability: number, atMs: number): TurnTakingStep {
  const state = { ...before, heardMs: Math.max(before.heardMs, atMs) };
  const { detection, halfDuplex } = state.options;
  if (!detection) return state.speech ? stay(state) : begin(state, 'open', state.takenMs, true);
  if (halfDuplex && state.doing === 'speaking') return stay(state);
  if (state.deafMs > 0) return stay({ ...state, deafMs: state.deafMs - WINDOW_MS });
  const { speech } = state;
  const isAwaited = state.doing === 'speaking' || (state.asked && !isBusy(state));
  const bar = isAwaited ? detection.threshold * AWAITED : detection.threshold;
  const isSpeech = probability >= (speech && speech.silenceMs === 0 ? bar - HYSTERESIS : bar);
  if (!isSpeech) return silence(state, WINDOW_MS);
  const isSure = probability >= sureOf(state, detection);
  if (speech) return goOn(state, speech, isSure);
  return begin(state, isBusy(state) ? 'held' : 'suspected', atMs - WINDOW_MS, isSure);
}

/** While hark thinks or speaks, a sound lowers it sooner than it counts as speech that interrupts. */
function sureOf({ doing }: TurnTakingState, { threshold }: TurnDetection): number {
  const more = doing === 'speaking' ? 0.15 : doing === 'thinking' ? 0.05 : -HYSTERESIS;
  return more > 0 ? Math.max(threshold, Math.min(0.9, threshold + more)) : threshold + more;
}

function isBusy({ doing }: TurnTakingState): boolean {
  return doing === 'speaking' || doing === 'thinking';
}

function begin(
  state: TurnTakingState,
  phase: Speech['phase'],
  onsetMs: number,
  isSure: boolean,
): TurnTakingStep {
  const { detection } = state.options;
  const { unansweredMs } = state;
  const continues = unansweredMs !== undefined && onsetMs - unansweredMs <= CONTINUES_MS;
  const speech: Speech = {
    phase,
    fromMs: Math.max(state.takenMs, onsetMs - (detection?.prefixPaddingMs ?? 0)),
    onsetMs,
    lastMs: state.heardMs,
    speechMs: WINDOW_MS,
    sureMs: isSure ? WINDOW_MS : 0,
    silenceMs: 0,
    resumingMs: 0,
    isPaused: false,
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

/** Speech while hark thinks or speaks: lowered at once, decided a little later. */
function hold(state: TurnTakingState, speech: Speech): TurnTakingStep {
  const step = decide(state, speech);
  if (isMurmur(speech) && step.state.speech?.phase === 'held') return after(step.out, raise(step.state));
  // Who hears itself would speak low for ever.
  const mayLower = state.doing === 'speaking' && !state.isLowered && !state.hasEcho;
  const lowers = mayLower && state.options.detection?.interruptResponse;
  if (!lowers || step.out.some(({ type }) => type === 'interrupt')) return step;
  return after([{ type: 'lower' }], { ...step, state: { ...step.state, isLowered: true } });
}

/** It goes on and on, and never is certain. */
function isMurmur({ speechMs, sureMs }: Speech): boolean {
  return speechMs >= MURMUR_MS && sureMs < ONSET_MS;
}

function goOn(state: TurnTakingState, before: Speech, isSure: boolean): TurnTakingStep {
  const { phase, silenceMs, resumingMs } = before;
  // A click in the silence is none: the silence goes on, though it does not end with one.
  if (phase === 'open' && silenceMs > 0 && resumingMs + WINDOW_MS < ONSET_MS)
    return stay({
      ...state,
      speech: { ...before, resumingMs: resumingMs + WINDOW_MS, silenceMs: silenceMs + WINDOW_MS },
    });
  const speech: Speech = {
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

/** Whether held speech interrupts, by its length or by its words. */
function decide(state: TurnTakingState, speech: Speech): TurnTakingStep {
  const { detection, interruptionMs } = state.options;
  const meaning = meaningOf(speech.words, state.said, state.doing === 'speaking');
  if (meaning === 'echo') return stay({ ...state, hasEcho: true });
  if (meaning === 'turn') return open(state, speech);
  const wantedMs = detection?.interruptionMs ?? interruptionMs;
  const leastMs = state.doing === 'thinking' ? Math.max(wantedMs, LEAST_THINKING_MS) : wantedMs;
  const isDoubtful = meaning === 'listening' || (state.hasEcho && state.doing === 'speaking');
  return speech.sureMs >= Math.max(WINDOW_MS, isDoubtful ? LISTENING_SIGN_MS : 0, leastMs)
    ? open(state, speech)
    : stay(state);
}

/** It is the user's turn. */
function open(state: TurnTakingState, speech: Speech): TurnTakingStep {
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

/** What follows from silence: the end of a turn, or that it was nothing. */
function settle(state: TurnTakingState, speech: Speech): TurnTakingStep {
  if (speech.phase === 'open') {
    const isOver = speech.silenceMs >= speech.endsAfterMs;
    return isOver ? end(state, speech) : stay(state);
  }
  if (!speech.isPaused) return stay(state);
  const isNothing = speech.isFinal || speech.silenceMs >= WORDS_LATE_MS || speech.speechMs < ONSET_MS;
  return isNothing ? drop(state) : raise(state);
}

function silenceWanted(
  { options: { detection, language }, asked, unansweredWords }: TurnTakingState,
  { words, isFinal, continues }: Pick<Speech, 'words' | 'isFinal' | 'continues'>,
): number {
  if (detection?.type !== 'semantic_vad') return detection?.silenceMs ?? Number.POSITIVE_INFINITY;
  const text = continues && words !== '' ? `${unansweredWords} ${words}` : words;
  return silenceThatEnds({ text, isFinal, eagerness: detection.eagerness, asked, language });
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
  const begun = begin(ended, 'open', ended.takenMs, true);
  return after([...out, ...begun.out], {
    state: begun.state,
    out: [{ type: 'started', atMs: ended.takenMs }],
  });
}

function end(state: TurnTakingState, speech: Speech): TurnTakingStep {
  const leastMs = speech.isFinal ? LEAST_WORDLESS_MS : LEAST_SPEECH_MS;
  return speech.words === '' && speech.speechMs < leastMs ? drop(state) : take(state, speech);
}

function take(state: TurnTakingState, speech: Speech): TurnTakingStep {
  const isPushed = state.options.detection === null;
  const fromMs = Math.max(speech.fromMs, isPushed ? state.heardMs - LONGEST_PUSHED_MS : 0);
  const toMs = isPushed ? state.heardMs : Math.min(state.heardMs, speech.lastMs + TAIL_MS);
  const out: TurnTakingOutput[] = isStarted(state) ? [{ type: 'stopped', atMs: speech.lastMs }] : [];
  const over = speech.isOver ? state.said : '';
  out.push({ type: 'utterance', fromMs, toMs, continues: speech.continues, over });
  const unansweredWords = `${speech.continues ? state.unansweredWords : ''} ${speech.words}`.slice(
    -MOST_SAID,
  );
  const taken = { ...state, speech: undefined, takenMs: toMs, unansweredMs: speech.lastMs, unansweredWords };
  return after(out, raise(taken));
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

/** Whether clients were told of the speech. */
function isStarted({ speech, options }: TurnTakingState): boolean {
  return speech?.phase === 'open' && options.detection !== null;
}

function drop(state: TurnTakingState): TurnTakingStep {
  const { speech } = state;
  const out: TurnTakingOutput[] =
    speech && isStarted(state) ? [{ type: 'stopped', atMs: speech.lastMs }] : [];
  if (speech && speech.phase !== 'suspected') out.push({ type: 'drop' });
  return after(out, raise({ ...state, speech: undefined }));
}

function raise(state: TurnTakingState): TurnTakingStep {
  return state.isLowered ? { state: { ...state, isLowered: false }, out: [{ type: 'raise' }] } : stay(state);
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
    const held: Speech = { ...speech, phase: 'held' };
    return after([{ type: 'listen', fromMs: held.fromMs }], hold({ ...state, speech: held }, held));
  }
  if (speech?.phase !== 'held') return isBusy(state) ? stay(state) : raise(state);
  if (isBusy(state)) return speech.silenceMs === 0 ? hold(state, speech) : stay(state);
  // The reply ended meanwhile: there is nothing to interrupt, and who speaks has the turn.
  const raised = raise(state);
  if (speech.speechMs < ONSET_MS) return raised;
  return after(raised.out, open(raised.state, speech));
}

function stay(state: TurnTakingState): TurnTakingStep {
  return { state, out: NOTHING };
}

function after(out: readonly TurnTakingOutput[], step: TurnTakingStep): TurnTakingStep {
  return out.length === 0 ? step : { state: step.state, out: [...out, ...step.out] };
}
