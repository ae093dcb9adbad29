import type { WordTime } from './wordTimes.ts';

/** Samples a second of all that is heard. */
export const HEARING_RATE = 16_000;

export type EngineName = 'sherpa' | 'cloud-b' | 'pocketsphinx' | 'flite';

interface Engine {
  /** As settings name it: of its model, or of itself where it has only one. */
  readonly id: string;
  readonly engine: EngineName;
  /** Where it is not named by its id. */
  readonly model?: string;
  /** As in BCP 47, without regions; undefined for all that there are. */
  readonly languages?: readonly string[] | undefined;
  /** Why it is not to be asked at the moment. */
  readonly broken: string | undefined;
  /** Why it failed when it was last tried, until it works again. */
  readonly lastFailure: string | undefined;
  /** Of the process that it works in, while there is one. */
  readonly pid?: number | undefined;
  /** Loads what it works with, so that the next to ask need not wait for that. Rejects where it cannot be had. */
  prepare(): Promise<void>;
  stop(): Promise<void>;
}

export interface HeardWords {
  readonly text: string;
  readonly words: readonly WordTime[];
}

export interface EngineListening {
  /** The samples stay as they are. */
  hear(samples: Int16Array): void;
  /** Rejects where the engine was lost, or it is cancelled before it has answered. */
  end(): Promise<HeardWords>;
  cancel(): void;
}

export interface ListenOptions {
  readonly language?: string | undefined;
  readonly onWords: (text: string) => void;
  /** The engine ended in the middle of it. */
  readonly onLost: () => void;
}

export interface HearingEngine extends Engine {
  /** Rejects where it cannot be had. */
  listen(options: ListenOptions): Promise<EngineListening>;
}

export interface SpeakOptions {
  readonly rate: number;
  readonly voice?: string | undefined;
  readonly speed?: number | undefined;
  readonly language?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Spoken {
  readonly samples: Int16Array;
  readonly words: readonly WordTime[];
}

export interface SpeakingEngine extends Engine {
  /** The first is its own choice. */
  readonly voices: readonly string[];
  speak(text: string, options: SpeakOptions): AsyncIterable<Spoken>;
}
