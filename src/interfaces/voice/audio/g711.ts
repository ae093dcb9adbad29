/* ITU-T G.711: telephone audio, a byte a sample at 8,000 a second. */

export interface Companding {
  decode(bytes: Uint8Array): Int16Array;
  encode(samples: Int16Array): Uint8Array;
}

const BIAS = 132;
const MU_CLIP = 32_635;

function fromMu(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4)) - BIAS;
  return bits & 0x80 ? -magnitude : magnitude;
}

function toMu(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(Math.abs(sample), MU_CLIP) + BIAS;
  const exponent = 24 - Math.clz32(magnitude);
  return ~(sign | (exponent << 4) | ((magnitude >> (exponent + 3)) & 0x0f)) & 0xff;
}

const EVEN_BITS = 0x55;

function fromA(code: number): number {
  const bits = code ^ EVEN_BITS;
  const exponent = (bits & 0x70) >> 4;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}

function toA(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80;
  // Of 13 bits; below zero rounded away from it, as the recommendation's tables are.
  const magnitude = (sample < 0 ? ~sample : sample) >> 3;
  const exponent = Math.max(0, 27 - Math.clz32(magnitude));
  const mantissa = (magnitude >> (exponent < 2 ? 1 : exponent)) & 0x0f;
  return (sign | (exponent << 4) | mantissa) ^ EVEN_BITS;
}

function companding(from: (code: number) => number, to: (sample: number) => number): Companding {
  const decoded = Int16Array.from({ length: 256 }, (_, code) => from(code));
  return {
    decode(bytes) {
      const samples = new Int16Array(bytes.length);
      for (let at = 0; at < bytes.length; at++) samples[at] = decoded[bytes[at] ?? 0] ?? 0;
      return samples;
    },
    encode(samples) {
      const bytes = new Uint8Array(samples.length);
      for (let at = 0; at < samples.length; at++) bytes[at] = to(samples[at] ?? 0);
      return bytes;
    },
  };
}

export const muLaw = companding(fromMu, toMu);
export const aLaw = companding(fromA, toA);
