/*
 * Audio on /ws/audio: PCM of 16 bits, little-endian, mono, behind a header of 12 bytes, big-endian: version, stream,
 * flags, number of the frame in its stream, place of its first sample in its stream. Both numbers begin again at zero
 * behind 2^32.
 */

const VERSION = 1;
const HEADER_BYTES = 12;
/** With its header. */
const MOST_FRAME_BYTES = 65_536;

export const STREAMS = { microphone: 0, speech: 1, capture: 2 } as const;
const BEGINS = 1;
const ENDS = 2;
const MISSES = 4;

export interface AudioFrame {
  readonly stream: number;
  readonly begins: boolean;
  readonly ends: boolean;
  /** Something is missing before it, as its sender knows. */
  readonly misses: boolean;
  readonly sequence: number;
  readonly offset: number;
  readonly audio: Uint8Array;
}

export function readFrame(bytes: Buffer): AudioFrame {
  if (bytes.length > MOST_FRAME_BYTES) throw new RangeError(`A frame has at most ${MOST_FRAME_BYTES} bytes`);
  if (bytes.length < HEADER_BYTES)
    throw new RangeError(`A frame begins with ${HEADER_BYTES} bytes of header`);
  if (bytes[0] !== VERSION) throw new RangeError(`The version of a frame is ${VERSION}`);
  const stream = bytes.readUInt8(1);
  if (stream !== STREAMS.microphone && stream !== STREAMS.capture)
    throw new RangeError('Streams from a client are 0, the microphone, and 2, capture');
  if (bytes.length % 2 !== 0) throw new RangeError('Half a sample: 16 bits are two bytes');
  const flags = bytes.readUInt16BE(2);
  return {
    stream,
    begins: (flags & BEGINS) !== 0,
    ends: (flags & ENDS) !== 0,
    misses: (flags & MISSES) !== 0,
    sequence: bytes.readUInt32BE(4),
    offset: bytes.readUInt32BE(8),
    audio: bytes.subarray(HEADER_BYTES),
  };
}

/** Of one stream that is sent. */
export class FrameWriter {
  readonly #stream: number;
  #sequence = 0;
  #offset = 0;

  constructor(stream: number) {
    this.#stream = stream;
  }

  write(audio: Uint8Array, { begins = false, ends = false } = {}): Buffer {
    const bytes = Buffer.allocUnsafe(HEADER_BYTES + audio.length);
    bytes[0] = VERSION;
    bytes[1] = this.#stream;
    bytes.writeUInt16BE((begins ? BEGINS : 0) | (ends ? ENDS : 0), 2);
    bytes.writeUInt32BE(this.#sequence, 4);
    bytes.writeUInt32BE(this.#offset, 8);
    bytes.set(audio, HEADER_BYTES);
    this.#sequence = (this.#sequence + 1) >>> 0;
    this.#offset = (this.#offset + audio.length / 2) >>> 0;
    return bytes;
  }
}

/** What a frame is, after those that came before it. */
export type Placed =
  | { readonly is: 'next' }
  /** It came before, or too late: what is missing was heard as silence by then. */
  | { readonly is: 'stale' }
  | { readonly is: 'behind a gap'; readonly from: number; readonly to: number };

const HALF = 2 ** 31;

/** Follows one stream that is received. Throws `RangeError` for a frame that cannot be after those before it. */
export class FrameOrder {
  #sequence: number | undefined;
  #offset = 0;

  place({ sequence, offset, begins, misses, audio }: AudioFrame): Placed {
    const expected = this.#sequence;
    const from = this.#offset;
    const isFirst = expected === undefined;
    const skipped = isFirst ? 0 : ahead(expected, sequence);
    if (skipped < 0) return { is: 'stale' };
    const missing = isFirst ? 0 : ahead(from, offset);
    if (missing < 0) throw new RangeError('A frame begins before the one before it has ended');
    this.#sequence = (sequence + 1) >>> 0;
    this.#offset = (offset + audio.length / 2) >>> 0;
    // Between two utterances a microphone may be off: nothing is lost with that.
    const isPause = begins && skipped === 0 && !misses;
    if (isPause || (missing === 0 && !misses)) return { is: 'next' };
    return { is: 'behind a gap', from: isFirst ? offset : from, to: offset };
  }
}

function ahead(expected: number, given: number): number {
  const distance = (given - expected) >>> 0;
  return distance < HALF ? distance : distance - 2 * HALF;
}
