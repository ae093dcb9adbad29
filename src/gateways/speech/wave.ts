/** Sound of a WAV file, mixed to one channel. */
export interface Wave {
  readonly rate: number;
  readonly samples: Int16Array;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

/** Undefined for what is no WAV file of numbers as they are: 8, 16, 24 or 32 bits, or floating. A cut end is let be. */
export function readWave(bytes: Uint8Array): Wave | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tag = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (bytes.byteLength < 12 || tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return undefined;
  let format: Format | undefined;
  for (let at = 12; at + 8 <= bytes.byteLength; ) {
    const length = Math.min(view.getUint32(at + 4, true), bytes.byteLength - at - 8);
    const body = new DataView(view.buffer, view.byteOffset + at + 8, length);
    if (tag(at) === 'fmt ') format = formatOf(body);
    if (tag(at) === 'data') return format && { rate: format.rate, samples: mixed(body, format) };
    at += 8 + length + (length % 2);
  }
  return undefined;
}

interface Format {
  readonly channels: number;
  readonly rate: number;
  readonly bytesEach: number;
  /** From -1 to 1. */
  readonly read: (view: DataView, at: number) => number;
}

function formatOf(chunk: DataView): Format | undefined {
  if (chunk.byteLength < 16) return undefined;
  const told = chunk.getUint16(0, true);
  const code = told === EXTENSIBLE && chunk.byteLength >= 26 ? chunk.getUint16(24, true) : told;
  const channels = chunk.getUint16(2, true);
  const rate = chunk.getUint32(4, true);
  const bits = chunk.getUint16(14, true);
  const read = readers[`${code}:${bits}`];
  if (!read || channels < 1 || channels > 32 || rate < 4_000 || rate > 384_000) return undefined;
  return { channels, rate, bytesEach: bits / 8, read };
}

const readers: Readonly<Record<string, Format['read']>> = {
  [`${PCM}:8`]: (view, at) => (view.getUint8(at) - 128) / 128,
  [`${PCM}:16`]: (view, at) => view.getInt16(at, true) / 32_768,
  [`${PCM}:24`]: (view, at) => (view.getUint8(at) + view.getInt16(at + 1, true) * 256) / 8_388_608,
  [`${PCM}:32`]: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  [`${FLOAT}:32`]: (view, at) => view.getFloat32(at, true),
  [`${FLOAT}:64`]: (view, at) => view.getFloat64(at, true),
};

function mixed(data: DataView, { channels, bytesEach, read }: Format): Int16Array {
  const each = channels * bytesEach;
  const samples = new Int16Array(Math.floor(data.byteLength / each));
  for (let index = 0; index < samples.length; index++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++)
      sum += read(data, index * each + channel * bytesEach);
    samples[index] = Math.max(-32_768, Math.min(32_767, Math.round((sum / channels) * 32_768)));
  }
  return samples;
}

/** As a file, for those who take no other. */
export function writeWave(samples: Int16Array, rate: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(44 + samples.byteLength);
  const view = new DataView(file.buffer);
  const tag = (at: number, name: string) => file.set(new TextEncoder().encode(name), at);
  tag(0, 'RIFF');
  view.setUint32(4, 36 + samples.byteLength, true);
  tag(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  tag(36, 'data');
  view.setUint32(40, samples.byteLength, true);
  file.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), 44);
  return file;
}

export function joined(pieces: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
