/* What hears and speaks, to those who use it. What does it, and where, is behind these: see gateways/speech. */

/** Samples a second of all that is heard. */
export const HEARING_RATE = 16_000;

/** A word of an utterance, in seconds from its first sample. */
export interface TimedWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface Recognized {
  /** Empty where no words were in it. */
  readonly text: string;
  readonly words: readonly TimedWord[];
}

/** One utterance on its way into words. An engine that ends in the middle of it is asked again with all of it. */
export interface Recognition {
  /** 16 bits, mono, at `HEARING_RATE`. Never waits: what the engine cannot take yet is kept, within a bound. */
  hear(samples: Int16Array): void;
  /** Nothing more comes. Rejects with `STT_UNAVAILABLE` where no engine could be had for it. */
  end(): Promise<Recognized>;
  /** Nobody wants it any more. */
  cancel(): void;
}

export interface SpeechIntoWords {
  /** Asked anew each time: models come and go, and are switched between utterances. */
  isAvailable(): Promise<boolean>;
  /** Begins an utterance with the engine that is chosen at the moment. */
  begin(options: {
    /** As in BCP 47; undefined where nobody said. */
    readonly language?: string | undefined;
    /** Told what was understood so far, by engines that understand while they hear. */
    readonly onWords?: (text: string) => void;
  }): Recognition;
}

/** A part of what is spoken, as it becomes ready. */
interface SpokenAudio {
  readonly samples: Int16Array;
  /** Those that begin in it, in seconds from the beginning of the text. */
  readonly words: readonly TimedWord[];
}

export interface WordsIntoSpeech {
  isAvailable(): Promise<boolean>;
  /**
   * A sentence or so, as plain words. Ends early where the signal is aborted, within a frame. Throws `TTS_UNAVAILABLE`
   * where no engine could be had for it. Words without times of their own have them by their length.
   */
  speak(
    text: string,
    options: {
      /** Samples a second of what comes, whatever the engine's own are. */
      readonly rate: number;
      /** By name; undefined or `default` for what the settings say. */
      readonly voice?: string | undefined;
      /** 1 is the voice's own. */
      readonly speed?: number | undefined;
      readonly language?: string | undefined;
      readonly signal: AbortSignal;
    },
  ): AsyncIterable<SpokenAudio>;
}

/** Samples in a window in which speech is looked for: 32 ms. */
export const WINDOW = 512;

/** How probable it is that somebody speaks, window for window, in the order in which they came. */
export interface SpeechDetection {
  hear(window: Int16Array): void;
  close(): void;
}

export interface SpeechDetector {
  /** Loads at the first call. */
  open(onProbability: (probability: number) => void): SpeechDetection;
}

/** Listens for a few phrases, and for nothing else. */
export interface WakeWords {
  /** Empty where there is no model that could. */
  phrases(): Promise<readonly string[]>;
  /** For these of them; all where none is named. */
  begin(options: {
    readonly phrases: readonly string[];
    /** Milliseconds of what was heard. */
    readonly onDetected: (phrase: string, atMs: number) => void;
  }): {
    hear(samples: Int16Array): void;
    /** Once all of it was looked through. Where nobody can, at once. */
    end(): Promise<void>;
    close(): void;
  };
}
