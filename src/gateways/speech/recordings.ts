import { fairShare, hasTime } from '../../fairShare.ts';
import { Resampler } from '../../resampler.ts';
import { HEARING_RATE } from './engine.ts';
import { samplesOf } from './frames.ts';
import { quietParts } from './quietParts.ts';
import { startProgram } from './startProgram.ts';
import { readWave, type Wave } from './wave.ts';

const PART_SECONDS = 50;
const MOST_SECONDS = 15 * 60;
const DECODING_MS = 20_000;
const SLICE_SECONDS = 0.1;

/** By its kind, what ffmpeg reads it as: it is not to guess, which would make playlists and addresses of it. */
const READERS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/flac': 'flac',
  'audio/webm': 'matroska',
  'audio/mp4': 'mov',
  'audio/aac': 'aac',
  'audio/mpeg': 'mp3',
};

/**
 * What a recording sounds like at the rate of hearing, in parts of less than a minute. WAV and samples (16 bits, mono, at
 * that rate) are read here; anything else where ffmpeg is installed. Undefined where it cannot be opened.
 */
export async function recordingParts(
  bytes: Uint8Array,
  mimeType: string,
  signal: AbortSignal,
): Promise<readonly Int16Array[] | undefined> {
  const samples = await samplesIn(bytes, mimeType, signal);
  return samples && [...quietParts(samples, PART_SECONDS)];
}

async function samplesIn(
  bytes: Uint8Array,
  mimeType: string,
  signal: AbortSignal,
): Promise<Int16Array | undefined> {
  if (mimeType === 'audio/pcm') return samplesOf(bytes);
  if (mimeType === 'audio/wav') {
    const wave = readWave(bytes);
    return wave && wave.samples.length <= MOST_SECONDS * wave.rate ? resampled(wave) : undefined;
  }
  const reader = READERS[mimeType];
  return reader === undefined ? undefined : decoded(bytes, reader, signal);
}

/** Slice by slice: others have their turn in between. */
async function resampled({ rate, samples }: Wave): Promise<Int16Array> {
  if (rate === HEARING_RATE) return samples;
  const resampler = new Resampler(rate, HEARING_RATE);
  const out = new Int16Array(Math.ceil((samples.length * HEARING_RATE) / rate) + 1);
  const slice = Math.ceil(rate * SLICE_SECONDS);
  let length = 0;
  const keep = (piece: Int16Array) => {
    out.set(piece, length);
    length += piece.length;
  };
  for (let at = 0; at < samples.length; at += slice) {
    if (!hasTime()) await fairShare();
    keep(resampler.push(samples.subarray(at, at + slice)));
  }
  keep(resampler.end());
  return out.subarray(0, length);
}

/** Through pipes alone, bounded in time and in length. Undefined where there is no ffmpeg, or it makes nothing of it. */
async function decoded(
  bytes: Uint8Array,
  reader: string,
  signal: AbortSignal,
): Promise<Int16Array | undefined> {
  const input = ['-protocol_whitelist', 'pipe', '-f', reader, '-i', 'pipe:0'];
  const output = [
    '-vn',
    '-t',
    `${MOST_SECONDS}`,
    '-ac',
    '1',
    '-ar',
    `${HEARING_RATE}`,
    '-f',
    's16le',
    'pipe:1',
  ];
  const child = startProgram('ffmpeg', ['-v', 'quiet', '-nostdin', '-threads', '1', ...input, ...output], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['pipe', 'pipe', 'ignore'],
    signal: AbortSignal.any([signal, AbortSignal.timeout(DECODING_MS)]),
    killSignal: 'SIGKILL',
  });
  if (!child) return undefined;
  const { stdin, stdout } = child;
  const pieces: Buffer[] = [];
  let length = 0;
  stdout?.on('data', (piece: Buffer) => {
    length += piece.byteLength;
    if (length > 2 * HEARING_RATE * MOST_SECONDS) child.kill('SIGKILL');
    else pieces.push(piece);
  });
  stdin?.on('error', () => undefined);
  stdin?.end(bytes);
  const ended = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  return ended && length > 0 ? samplesOf(Buffer.concat(pieces)) : undefined;
}
