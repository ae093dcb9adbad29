import type { VoiceOptions, VoiceState } from './conversation.ts';
import { HeardSamples, levelOf } from './heardSamples.ts';
import { isEcho } from './interruption.ts';
import type { SpeechPace } from './pacedSpeech.ts';
import type { SpeechDetector, SpeechIntoWords } from './speech.ts';
import { HEARING_RATE, type Recognition, type Recognized, type SpeechDetection, WINDOW } from './speech.ts';
import { next } from './turnTaking.ts';
import {
  beginTurnTaking,
  type TurnTakingInput,
  type TurnTakingOutput,
  type TurnTakingState,
} from './turnTakingState.ts';

/** What of it concerns others; that recognition begins and pauses is a matter of hearing alone. */
export type HeardTurn = Exclude<TurnTakingOutput, { type: 'listen' | 'pause' | 'resumed' }>;

interface HearingOptions {
  readonly ears: SpeechIntoWords;
  readonly detector: SpeechDetector;
  readonly options: VoiceOptions;
  readonly interruptionMs: () => number;
  readonly halfDuplex: () => boolean;
  readonly pace: SpeechPace;
  /** What is told of the user's speech; the words of an utterance come with it. */
  readonly onTurn: (output: HeardTurn, said: Utterance | undefined) => void;
  /** What was understood so far, where the engine understands while it hears. */
  readonly onWords: (text: string) => void;
  /** What an utterance says that may be over: an answer to it can be prepared. */
  readonly onPause: (text: string) => void;
}

export interface Utterance {
  readonly recognized: Promise<Recognized>;
  readonly samples: readonly Int16Array[];
}

interface Listening {
  readonly from: number;
  recognition: Recognition | undefined;
  /** It was ended at a pause, which may be the end of all. */
  early: Promise<Recognized> | undefined;
}

/** What is missing is heard as silence: of a long gap, so much. */
const LONGEST_SILENCE = 2 * HEARING_RATE;
/** A network may hold audio back for a moment. */
const TICK_MS = 200;
const SILENCE = new Int16Array(WINDOW);
const PER_MS = HEARING_RATE / 1_000;
const NOTHING: Recognized = { text: '', words: [] };

/** The microphone of a session: samples in, turns and their words out. */
export class Hearing {
  readonly #options: HearingOptions;
  readonly #samples = new HeardSamples(() => this.#listening?.from);
  /** Windows whose probability is not known yet: where each ends, and how loud it is. */
  readonly #inFlight: { readonly atMs: number; readonly level: number }[] = [];
  #voice: VoiceOptions;
  #turns: TurnTakingState;
  #detection: SpeechDetection | undefined;
  #listening: Listening | undefined;
  #isClosed = false;
  #heardAt = 0;
  #cancelTick: (() => void) | undefined;

  constructor(options: HearingOptions) {
    this.#options = options;
    this.#voice = options.options;
    this.#turns = beginTurnTaking(this.#turnOptions());
  }

  configure(options: VoiceOptions): void {
    this.#voice = options;
    this.#put({ type: 'options', options: this.#turnOptions() });
  }

  hear(samples: Int16Array): void {
    if (this.#isClosed || samples.length === 0) return;
    this.#heardAt = this.#options.pace.now();
    this.#samples.add(
      samples,
      (part) => {
        const listening = this.#listening;
        if (!listening?.early) listening?.recognition?.hear(part);
      },
      (window) => this.#detect(window),
    );
  }

  /** Counts as silence. */
  miss(samples: number): void {
    const jumped = Math.max(0, samples - LONGEST_SILENCE);
    this.#samples.skip(jumped);
    for (let left = samples - jumped; left > 0; left -= WINDOW)
      this.hear(left >= WINDOW ? SILENCE : SILENCE.subarray(0, left));
  }

  commit(): void {
    this.#put({ type: 'commit', atMs: this.#heardMs });
  }

  clear(): void {
    this.#put({ type: 'clear', atMs: this.#heardMs });
  }

  doing(doing: VoiceState, asked: boolean): void {
    this.#put(
      doing === 'speaking' || doing === 'thinking'
        ? { type: 'doing', doing }
        : { type: 'doing', doing, asked },
    );
  }

  saying(text: string): void {
    this.#put({ type: 'saying', text });
  }

  /** How long ago this place of what was heard was heard. */
  since(atMs: number): number {
    return Math.max(0, this.#heardMs - atMs);
  }

  /** A microphone that sends nothing any more is silent. */
  #tickLater(): void {
    const { pace } = this.#options;
    this.#cancelTick ??= pace.after(TICK_MS, () => {
      this.#cancelTick = undefined;
      if (this.#isClosed || !this.#turns.speech) return;
      if (pace.now() - this.#heardAt >= TICK_MS) this.#put({ type: 'tick', ms: TICK_MS });
      if (this.#turns.speech) this.#tickLater();
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTick?.();
    this.#detection?.close();
    this.#listening?.recognition?.cancel();
    this.#listening = undefined;
    this.#samples.forget();
  }

  get #heardMs(): number {
    return this.#samples.count / PER_MS;
  }

  #turnOptions() {
    const { detection, language } = this.#voice;
    const { interruptionMs, halfDuplex } = this.#options;
    return { detection, language, interruptionMs: interruptionMs(), halfDuplex: halfDuplex() };
  }

  #detect(window: Int16Array): void {
    const atMs = this.#heardMs;
    // Push to talk asks nobody whether that is speech.
    if (this.#voice.detection === null) {
      this.#put({ type: 'window', probability: 0, atMs });
      return;
    }
    this.#inFlight.push({ atMs, level: levelOf(window) });
    this.#detection ??= this.#options.detector.open((probability) => this.#noticed(probability));
    this.#detection.hear(window);
  }

  #noticed(probability: number): void {
    const window = this.#inFlight.shift();
    if (window) this.#put({ type: 'window', probability, ...window });
  }

  #put(input: TurnTakingInput): void {
    if (this.#isClosed) return;
    const { state, out } = next(this.#turns, input);
    this.#turns = state;
    for (const output of out) this.#perform(output);
  }

  #perform(output: TurnTakingOutput): void {
    switch (output.type) {
      case 'listen':
        this.#listen(output.fromMs * PER_MS);
        break;
      case 'pause':
        this.#understandEarly();
        break;
      case 'resumed':
        this.#resume();
        break;
      case 'utterance': {
        const said = this.#take(output.over);
        this.#options.onTurn(output, said);
        break;
      }
      case 'drop':
        this.#listening?.recognition?.cancel();
        this.#listening = undefined;
        this.#options.onTurn(output, undefined);
        break;
      default:
        this.#options.onTurn(output, undefined);
        break;
    }
  }

  #listen(from: number): void {
    this.#tickLater();
    this.#listening?.recognition?.cancel();
    this.#listening = { from, early: undefined, recognition: undefined };
    this.#listening.recognition = this.#begin(this.#listening);
  }

  #begin(listening: Listening): Recognition {
    const isEarly = () => listening.early !== undefined;
    const recognition = this.#options.ears.begin({
      language: this.#voice.language,
      onWords: (text) => {
        if (this.#listening !== listening || isEarly()) return;
        this.#put({ type: 'words', text });
        this.#options.onWords(text);
      },
    });
    for (const samples of this.#samples.since(listening.from)) recognition.hear(samples);
    return recognition;
  }

  /** What is there is understood while the silence may go on: if it does, the words are there when it ends. */
  #understandEarly(): void {
    const listening = this.#listening;
    const recognition = listening?.recognition;
    if (!listening || !recognition || listening.early) return;
    const early = recognition.end();
    listening.early = early;
    early.then(
      ({ text }) => {
        if (this.#listening !== listening || listening.early !== early) return;
        this.#put({ type: 'words', text, isFinal: true });
        if (text === '') return;
        this.#options.onWords(text);
        if (this.#listening === listening) this.#options.onPause(text);
      },
      () => {
        // Whoever takes the utterance is told.
      },
    );
  }

  #resume(): void {
    const listening = this.#listening;
    if (!listening?.early) return;
    listening.early = undefined;
    listening.recognition = this.#begin(listening);
  }

  /** What hark said meanwhile and hears again is nothing. */
  #take(over: string): Utterance {
    const listening = this.#listening;
    this.#listening = undefined;
    const { from, recognition, early } = listening ?? {
      from: this.#samples.count,
      recognition: undefined,
      early: undefined,
    };
    const samples = this.#samples.since(from);
    const recognized = early ?? recognition?.end() ?? Promise.resolve(NOTHING);
    return {
      recognized:
        over === '' ? recognized : recognized.then((all) => (isEcho(all.text, over) ? NOTHING : all)),
      samples,
    };
  }
}
