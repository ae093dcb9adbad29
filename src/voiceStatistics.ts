import type { Clock } from './clock.ts';
import { PerMinute, Recent } from './recentFigures.ts';

/** What takes its time in a conversation by voice, in milliseconds. */
export const voiceStages = [
  /** Last sample of speech to the first audible sample of the reply, as it is sent. */
  'endOfSpeechToFirstAudio',
  /** Last sample of speech to the turn being taken; the configured silence is in it. */
  'endOfTurn',
  /** The turn being taken to its words being there. */
  'recognition',
  /** The words to the first text of the reply. */
  'firstText',
  /** That to the first sentence that can be spoken. */
  'firstSentence',
  /** A sentence to its first samples. */
  'synthesis',
  /** Onset of speech to the last frame of the reply at full level. */
  'bargeIn',
  /** Onset of speech to the last frame of the reply. */
  'bargeInEnd',
] as const;

export type VoiceStage = (typeof voiceStages)[number];

/** Quantiles are of the newest. */
const KEPT = 1_024;

interface StageFigures {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly count: number;
}

interface VoiceFigures {
  readonly latency: Readonly<Record<VoiceStage, StageFigures>>;
  readonly audioChunksIn: number;
  readonly audioChunksOut: number;
  readonly gaps: number;
  readonly requestsPerMinute: number;
}

/**
 * The figures of voice, of all users together. Counting a frame is one addition: it is done tens of thousands of times
 * a second.
 */
export class VoiceStatistics {
  /** Frames of audio that came from clients, over whichever carrier. */
  audioChunksIn = 0;
  /** Frames of audio that were sent to clients. */
  audioChunksOut = 0;
  /** Places where something of a microphone is missing, also of what is captured. */
  gaps = 0;
  readonly #perMinute = new PerMinute();
  /** Each from its first figure on: where nobody speaks, there is none. */
  readonly #stages = new Map<VoiceStage, Recent>();
  readonly #clock: Clock;
  readonly #onStage: (stage: VoiceStage, ms: number) => void;

  constructor(clock: Clock, onStage: (stage: VoiceStage, ms: number) => void = () => undefined) {
    this.#clock = clock;
    this.#onStage = onStage;
  }

  took(stage: VoiceStage, ms: number): void {
    const recent = this.#stages.get(stage) ?? new Recent(KEPT);
    if (recent.count === 0) this.#stages.set(stage, recent);
    recent.add(ms);
    this.#onStage(stage, ms);
  }

  /** An utterance that is to be answered. */
  turnTaken(): void {
    this.#perMinute.add(this.#second());
  }

  figures(): VoiceFigures {
    const { audioChunksIn, audioChunksOut, gaps } = this;
    return {
      latency: {
        endOfSpeechToFirstAudio: this.#of('endOfSpeechToFirstAudio'),
        endOfTurn: this.#of('endOfTurn'),
        recognition: this.#of('recognition'),
        firstText: this.#of('firstText'),
        firstSentence: this.#of('firstSentence'),
        synthesis: this.#of('synthesis'),
        bargeIn: this.#of('bargeIn'),
        bargeInEnd: this.#of('bargeInEnd'),
      },
      audioChunksIn,
      audioChunksOut,
      gaps,
      requestsPerMinute: this.#perMinute.total(this.#second()),
    };
  }

  #of(stage: VoiceStage): StageFigures {
    const recent = this.#stages.get(stage);
    const [p50 = 0, p95 = 0, p99 = 0] = recent?.quantiles([0.5, 0.95, 0.99]) ?? [];
    return { p50: rounded(p50), p95: rounded(p95), p99: rounded(p99), count: recent?.count ?? 0 };
  }

  #second(): number {
    return Math.floor(this.#clock() / 1_000);
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
