/*
 * What passes between the service and a process that hears or speaks: a length, a kind, the job it is of, and a body.
 * Samples go as they are, 16 bits, little-endian as in memory; all else is JSON.
 */

/** To the engine. */
export const toEngine = {
  open: 1,
  listen: 2,
  samples: 3,
  end: 4,
  cancel: 5,
  speak: 6,
  ping: 7,
  spot: 8,
} as const;
/** From the engine. */
export const fromEngine = {
  ready: 16,
  words: 17,
  heard: 18,
  speech: 19,
  spoken: 20,
  failed: 21,
  pong: 22,
  detected: 23,
} as const;

export interface EngineFrame {
  readonly kind: number;
  /** 0 is of none. */
  readonly job: number;
  readonly body: Buffer;
}

const HEADER_BYTES = 9;
/** Five minutes of speech; nothing that is meant is longer. */
const MOST_BYTES = 16 * 1_024 * 1_024;

export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

/** Two pieces, so that no samples are copied. */
export function frameOf(
  kind: number,
  job: number,
  body: Uint8Array = new Uint8Array(),
): readonly Uint8Array[] {
  const header = Buffer.allocUnsafe(HEADER_BYTES);
  header.writeUInt32LE(body.byteLength, 0);
  header.writeUInt8(kind, 4);
  header.writeUInt32LE(job, 5);
  return body.byteLength === 0 ? [header] : [header, body];
}

export function jsonBody(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

export function samplesBody(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** A copy, since a body lies wherever it came in; an odd byte at the end is dropped. */
export function samplesOf(body: Uint8Array): Int16Array {
  const samples = new Int16Array(body.byteLength >> 1);
  new Uint8Array(samples.buffer).set(body.subarray(0, samples.byteLength));
  return samples;
}

/** Speech with the words that begin in it. */
export function speechBody(words: readonly unknown[], samples: Int16Array): Buffer {
  const told = jsonBody(words);
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32LE(told.byteLength, 0);
  return Buffer.concat([length, told, samplesBody(samples)]);
}

export function speechOf(body: Buffer): { readonly words: unknown; readonly samples: Int16Array } {
  if (body.byteLength < 4) throw new BadFrame('speech without a length');
  const length = body.readUInt32LE(0);
  if (length > body.byteLength - 4) throw new BadFrame('words longer than their frame');
  return { words: jsonOf(body.subarray(4, 4 + length)), samples: samplesOf(body.subarray(4 + length)) };
}

export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new BadFrame('no JSON');
  }
}

/** Puts frames together from whatever pieces a pipe gives. Throws `BadFrame` at what cannot be one. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  #wanted = HEADER_BYTES;

  *take(piece: Buffer): Generator<EngineFrame> {
    this.#pieces.push(piece);
    this.#bytes += piece.byteLength;
    while (this.#bytes >= this.#wanted) {
      // Joined only once there is enough, so that a long frame in many pieces is copied once.
      const all = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces);
      const length = all.readUInt32LE(0);
      if (length > MOST_BYTES) throw new BadFrame(`a frame of ${length} bytes`);
      this.#wanted = HEADER_BYTES + length;
      if (all.byteLength < this.#wanted) {
        this.#pieces = [all];
        return;
      }
      const rest = all.subarray(this.#wanted);
      yield {
        kind: all.readUInt8(4),
        job: all.readUInt32LE(5),
        body: all.subarray(HEADER_BYTES, this.#wanted),
      };
      this.#pieces = rest.byteLength === 0 ? [] : [rest];
      this.#bytes = rest.byteLength;
      this.#wanted = HEADER_BYTES;
      piece = rest;
    }
  }
}
