import { randomUUID } from 'node:crypto';
import type { SegmentIntake } from '../../application/capture/intake.ts';
import { HEARING_RATE } from '../../application/voice/speech.ts';
import type { Clock } from '../../clock.ts';

/** A segment holds so much, where no utterance ends before. */
const LONGEST_SAMPLES = 10 * HEARING_RATE;
const MOST_WAITING = 3;
const MILLISECONDS = 1_000;

interface CapturedBy {
  readonly userId: string;
  readonly correlationId: string;
  readonly deviceId?: string | undefined;
  readonly signal: AbortSignal;
}

export interface CaptureParts {
  readonly intake: Pick<SegmentIntake, 'take'>;
  /** As a WAV file. */
  readonly waveOf: (samples: Int16Array, rate: number) => Promise<Uint8Array>;
  readonly clock: Clock;
  /** Something of what is recorded is missing. */
  readonly onGap: () => void;
}

interface CapturedOptions extends CaptureParts {
  readonly by: CapturedBy;
  readonly onRefusal: (error: unknown) => void;
}

/** What a connection records of stream 2, in segments. */
export class Captured {
  readonly #options: CapturedOptions;
  #streamId: string | undefined;
  /** Made with the first of a segment, so that whoever records nothing needs no room. */
  #recorded: Int16Array | undefined;
  #length = 0;
  #startedAt = 0;
  #waiting = 0;

  constructor(options: CapturedOptions) {
    this.#options = options;
  }

  /** So many samples as a frame has: never more than a segment holds. */
  hear(streamId: string, samples: Int16Array, ends: boolean): void {
    if (streamId !== this.#streamId || this.#length + samples.length > LONGEST_SAMPLES) this.flush();
    this.#streamId = streamId;
    if (this.#length === 0) this.#startedAt = this.#options.clock();
    this.#recorded ??= new Int16Array(LONGEST_SAMPLES);
    this.#recorded.set(samples, this.#length);
    this.#length += samples.length;
    if (ends) this.flush();
  }

  /** So many samples are lost. Between two segments that is no silence of either: each has its own time. */
  miss(streamId: string, samples: number): void {
    this.#options.onGap();
    if (streamId !== this.#streamId || this.#length + samples > LONGEST_SAMPLES) this.flush();
    // It was made of zeros.
    if (this.#length > 0) this.#length += samples;
  }

  flush(): void {
    const streamId = this.#streamId;
    const samples = this.#recorded?.subarray(0, this.#length);
    this.#recorded = undefined;
    this.#length = 0;
    if (streamId === undefined || !samples?.length) return;
    // What is slower than time would be more and more.
    if (this.#waiting < MOST_WAITING) this.#bring(streamId, samples);
    else this.#options.onRefusal(undefined);
  }

  #bring(streamId: string, samples: Int16Array): void {
    this.#waiting++;
    this.#take(streamId, samples, this.#startedAt)
      .catch(this.#options.onRefusal)
      .finally(() => {
        this.#waiting--;
      });
  }

  async #take(streamId: string, samples: Int16Array, startedAt: number): Promise<void> {
    const { by, intake, waveOf } = this.#options;
    const bytes = await waveOf(samples, HEARING_RATE);
    await intake.take(
      {
        ...{ streamId, startedAt, segmentId: randomUUID(), modality: 'audio' },
        durationMs: Math.round((samples.length * MILLISECONDS) / HEARING_RATE),
        material: { is: 'media', bytes, mimeType: 'audio/wav' },
      },
      by,
      by.deviceId,
    );
  }
}
