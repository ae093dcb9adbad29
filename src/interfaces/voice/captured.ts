import { randomUUID } from 'node:crypto';
import type { SegmentIntake } from '../../application/capture/intake.ts';
import { HEARING_RATE } from '../../application/voice/speech.ts';
import type { Clock } from '../../clock.ts';

/** A segment holds so much, where no utterance ends before. */
const LONGEST_SAMPLES = 10 * HEARING_RATE;
const MOST_WAITING = 3;
const WAV_HEADER_BYTES = 44;
const MILLISECONDS = 1_000;

interface CapturedBy {
  readonly userId: string;
  readonly correlationId: string;
  readonly deviceId?: string | undefined;
  readonly signal: AbortSignal;
}

interface CapturedOptions {
  readonly intake: Pick<SegmentIntake, 'take'>;
  readonly clock: Clock;
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
    const { by, intake, onRefusal } = this.#options;
    intake
      .take(
        {
          streamId,
          segmentId: randomUUID(),
          modality: 'audio',
          startedAt: this.#startedAt,
          durationMs: Math.round((samples.length * MILLISECONDS) / HEARING_RATE),
          material: { is: 'media', bytes: wavOf(samples), mimeType: 'audio/wav' },
        },
        by,
        by.deviceId,
      )
      .catch(onRefusal)
      .finally(() => {
        this.#waiting--;
      });
  }
}

function wavOf({ buffer, byteOffset, byteLength: bytes }: Int16Array): Buffer {
  const file = Buffer.alloc(WAV_HEADER_BYTES + bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(36 + bytes, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(HEARING_RATE, 24);
  file.writeUInt32LE(HEARING_RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes, 40);
  file.set(new Uint8Array(buffer, byteOffset, bytes), WAV_HEADER_BYTES);
  return file;
}
