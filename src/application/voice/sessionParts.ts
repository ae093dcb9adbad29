import type { VoiceStatistics } from '../../voiceStatistics.ts';
import type { SaidAudio } from './keptAudio.ts';
import type { SpeechPace } from './pacedSpeech.ts';
import type { SpeechDetector, SpeechIntoWords, WordsIntoSpeech } from './speech.ts';
import type { VoiceTurns } from './voiceTurns.ts';

/** What a session of voice works with, and what it is asked of elsewhere. */
export interface SessionParts {
  readonly turns: VoiceTurns;
  readonly ears: SpeechIntoWords;
  readonly mouth: WordsIntoSpeech;
  readonly detector: SpeechDetector;
  readonly statistics: Pick<
    VoiceStatistics,
    'took' | 'turnTaken' | 'gaps' | 'audioChunksIn' | 'audioChunksOut'
  >;
  readonly pace: SpeechPace;
  readonly newId: () => string;
  readonly interruptionMs: () => number;
  /** Whether nothing is heard while hark speaks. */
  readonly halfDuplex: () => boolean;
  /** Whether a word is said while tools work. */
  readonly fills: () => boolean;
  /** Says in the session, as the assistant, what was said elsewhere. */
  readonly note: (whose: Whose, text: string) => Promise<void>;
  /** What a turn with this text would ask is asked ahead, as no turn may come of it. Never rejects. */
  readonly prepareTurn: (userId: string, text: string) => Promise<void>;
  /** The voice that the user prefers, where the client names none; `default` is any. */
  readonly voiceOf: (userId: string) => Promise<string>;
  /** Whether what the user and hark say is kept, and how. */
  readonly keepsAudio: (userId: string) => Promise<boolean>;
  readonly keepAudio: (whose: Whose, said: SaidAudio) => Promise<void>;
  readonly onFailure: (what: string, error: unknown) => void;
}

export interface Whose {
  readonly userId: string;
  readonly sessionId: string;
  readonly correlationId: string;
}
