import { fairShare, hasTime } from '../../fairShare.ts';
import { WireError } from './events/wireError.ts';

/** As long as a tenth of a second takes of PCM, and a whole number of groups of four. */
const SLICE = 6_400;
const SIGNS = 4;
const BYTES = 3;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACES: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const COLON = 0x3a;

/** Base64 to bytes, in slices that let others in between. Nothing is taken of what is no base64 from there on. */
export function eachSlice(base64: string | Buffer, take: (bytes: Buffer) => void): Promise<void> | undefined {
  if (base64.length > SLICE) return inSlices(base64, take);
  take(bytesOf(typeof base64 === 'string' ? base64 : base64.toString('latin1')));
  return undefined;
}

async function inSlices(base64: string | Buffer, take: (bytes: Buffer) => void): Promise<void> {
  for (let at = 0; at < base64.length; at += SLICE) {
    if (!hasTime()) await fairShare();
    const end = at + SLICE;
    take(bytesOf(typeof base64 === 'string' ? base64.slice(at, end) : base64.toString('latin1', at, end)));
  }
}

function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  // What is no base64 is passed over, and bytes are missing then.
  if (bytes.length !== Math.floor(((base64.length - padding) * BYTES) / SIGNS))
    throw new WireError('invalid_value', 'audio must be base64', { param: 'audio' });
  return bytes;
}

/**
 * A long event parted into its audio and the rest, without looking at each letter: what JSON.parse would take tens of
 * milliseconds for. Undefined where it is none with audio in it.
 */
export function withoutAudio(event: Buffer): { readonly rest: string; readonly audio: Buffer } | undefined {
  const name = event.indexOf('"audio"');
  if (name === -1) return undefined;
  let start = name + '"audio"'.length;
  while (SPACES.has(event[start] ?? 0) || event[start] === COLON) start++;
  if (event[start++] !== QUOTE) return undefined;
  const end = event.indexOf(QUOTE, start);
  if (end === -1) return undefined;
  const audio = event.subarray(start, end);
  if (audio.includes(BACKSLASH)) return undefined;
  return {
    rest: event.toString('utf8', 0, start) + event.toString('utf8', end),
    audio,
  };
}
