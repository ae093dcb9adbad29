import { z } from 'zod';
import { HEARING_RATE } from '../../application/voice/speech.ts';
import { HarkError } from '../../errors.ts';
import { Resampler } from '../../resampler.ts';

const formatShape = z.object({
  rate: z.int().min(8_000).max(48_000),
  width: z.int().min(1).max(4),
  channels: z.int().min(1).max(8),
});

export type HeardFormat = z.output<typeof formatShape>;

export function formatOf(data: unknown): HeardFormat {
  const parsed = formatShape.safeParse(data);
  if (!parsed.success)
    throw new HarkError('BAD_REQUEST', {
      message: 'audio: rate (8000 to 48000), width (1 to 4) and channels (1 to 8) are needed',
    });
  return parsed.data;
}

/** What comes over one stream of audio, as it is heard: 16 bits, mono, at `HEARING_RATE`. */
export class HeardStream {
  readonly format: HeardFormat;
  readonly #resampler: Resampler;
  readonly #onSamples: (samples: Int16Array) => void;
  /** What of a sample has come; chunks need not end with one. */
  #rest = Buffer.alloc(0);
  #heard = 0;

  constructor(format: HeardFormat, onSamples: (samples: Int16Array) => void) {
    this.format = format;
    this.#resampler = new Resampler(format.rate, HEARING_RATE);
    this.#onSamples = onSamples;
  }

  /** How long it was so far. */
  get seconds(): number {
    return this.#heard / this.format.rate;
  }

  push(chunk: Buffer): void {
    const each = this.format.width * this.format.channels;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const samples = mixed(bytes, this.format);
    this.#rest = Buffer.from(bytes.subarray(samples.length * each));
    this.#heard += samples.length;
    this.#tell(this.#resampler.push(samples));
  }

  end(): void {
    this.#tell(this.#resampler.end());
  }

  #tell(samples: Int16Array): void {
    if (samples.length > 0) this.#onSamples(samples);
  }
}

/** A width of 1 has no sign, as in WAV files. */
function mixed(bytes: Buffer, { width, channels }: HeardFormat): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / (width * channels)));
  for (let index = 0, at = 0; index < samples.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++, at += width)
      sum += width === 1 ? ((bytes[at] ?? 128) - 128) * 256 : bytes.readInt16LE(at + width - 2);
    samples[index] = sum / channels;
  }
  return samples;
}
