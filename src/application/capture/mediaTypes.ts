import { imageTypes } from '../../vocabulary.ts';

const text = (bytes: Uint8Array, from: number, length: number) =>
  String.fromCharCode(...bytes.subarray(from, from + length));
const begins = (bytes: Uint8Array, ...first: readonly number[]) =>
  first.every((byte, index) => bytes[index] === byte);

/** What the first bytes of each kind are; a clever name does not make a picture a recording. */
const signs: readonly (readonly [kind: string, is: (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => begins(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['image/jpeg', (bytes) => begins(bytes, 0xff, 0xd8, 0xff)],
  ['image/gif', (bytes) => text(bytes, 0, 4) === 'GIF8'],
  ['image/webp', (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WEBP'],
  ['audio/wav', (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WAVE'],
  ['audio/ogg', (bytes) => text(bytes, 0, 4) === 'OggS'],
  ['audio/flac', (bytes) => text(bytes, 0, 4) === 'fLaC'],
  ['audio/webm', (bytes) => begins(bytes, 0x1a, 0x45, 0xdf, 0xa3)],
  ['audio/mp4', (bytes) => text(bytes, 4, 4) === 'ftyp'],
  ['audio/aac', (bytes) => begins(bytes, 0xff) && ((bytes[1] ?? 0) & 0xf6) === 0xf0],
  [
    'audio/mpeg',
    (bytes) => text(bytes, 0, 3) === 'ID3' || (begins(bytes, 0xff) && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  ],
];

/** Other names of the same. */
const names: Readonly<Record<string, string>> = {
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/x-flac': 'audio/flac',
  'audio/opus': 'audio/ogg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/l16': 'audio/pcm',
  'image/jpg': 'image/jpeg',
};

/** Samples alone have no sign of their own: two bytes each. */
const RAW = 'audio/pcm';
const SAMPLE_BYTES = 2;

const taken: Readonly<Record<'audio' | 'video', ReadonlySet<string>>> = {
  audio: new Set([RAW, ...signs.map(([kind]) => kind).filter((kind) => kind.startsWith('audio/'))]),
  video: new Set<string>(imageTypes),
};

/** The kind of media that this is, if it may come by such a modality and is what it says; else undefined. */
export function mediaType(modality: 'audio' | 'video', named: string, bytes: Uint8Array): string | undefined {
  const plain = named.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const kind = names[plain] ?? plain;
  if (bytes.length === 0 || !taken[modality].has(kind)) return undefined;
  const seen = signs.find(([, is]) => is(bytes))?.[0];
  if (kind !== RAW) return seen === kind ? kind : undefined;
  // Samples may happen to begin as anything; but not as a file whose sign is long.
  const isFile = seen !== undefined && seen !== 'audio/mpeg' && seen !== 'audio/aac' && seen !== 'image/jpeg';
  return bytes.length % SAMPLE_BYTES === 0 && !isFile ? kind : undefined;
}
