import { HEARING_RATE } from '../../../application/voice/speech.ts';
import { Resampler } from '../../../resampler.ts';
import { aLaw, muLaw } from './g711.ts';

/** What audio is on the wire, by the names of OpenAI's Realtime API. */
export type AudioFormat =
  | { readonly type: 'audio/pcm'; readonly rate: number }
  | { readonly type: 'audio/pcmu' }
  | { readonly type: 'audio/pcma' };

const TELEPHONE_RATE = 8_000;
const SAMPLE_BYTES = 2;

export function rateOf(format: AudioFormat): number {
  return format.type === 'audio/pcm' ? format.rate : TELEPHONE_RATE;
}

/** From the wire to what is heard. Throws `RangeError` where there is half a sample. */
export class AudioReader {
  readonly #format: AudioFormat;
  readonly #resampler: Resampler | undefined;

  constructor(format: AudioFormat) {
    this.#format = format;
    const rate = rateOf(format);
    this.#resampler = rate === HEARING_RATE ? undefined : new Resampler(rate, HEARING_RATE);
  }

  read(bytes: Uint8Array): Int16Array {
    const samples = this.#samples(bytes);
    return this.#resampler?.push(samples) ?? samples;
  }

  #samples(bytes: Uint8Array): Int16Array {
    if (this.#format.type === 'audio/pcm') return samplesIn(bytes);
    return (this.#format.type === 'audio/pcmu' ? muLaw : aLaw).decode(bytes);
  }
}

/** From speech at any rate to the wire. */
export class AudioWriter {
  readonly #format: AudioFormat;
  #rate = 0;
  #resampler: Resampler | undefined;

  constructor(format: AudioFormat) {
    this.#format = format;
  }

  write(samples: Int16Array, rate: number): Buffer {
    const wanted = rateOf(this.#format);
    if (rate !== this.#rate) {
      this.#rate = rate;
      this.#resampler = rate === wanted ? undefined : new Resampler(rate, wanted);
    }
    const own = this.#resampler?.push(samples) ?? samples;
    if (this.#format.type === 'audio/pcm') return bytesOf(own);
    return Buffer.from((this.#format.type === 'audio/pcmu' ? muLaw : aLaw).encode(own).buffer);
  }
}

/** A copy: what came from a socket may begin at an odd address. */
function samplesIn(bytes: Uint8Array): Int16Array {
  if (bytes.length % SAMPLE_BYTES !== 0) throw new RangeError('Half a sample: 16 bits are two bytes');
  const samples = new Int16Array(bytes.length / SAMPLE_BYTES);
  new Uint8Array(samples.buffer).set(bytes);
  return samples;
}

function bytesOf({ buffer, byteOffset, byteLength }: Int16Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
