/*
 * An index as bytes that can be kept, in pieces that take little time each. All numbers have 32 bits:
 *
 *   which save │ number of the piece │ of how many │ how many numbers follow │ numbers … │ what they are, as JSON
 */

const NUMBER = 4;
const FRAME = 4;

/** What pieces of one save have in common, and which of them this is. */
export interface Frame {
  readonly save: number;
  readonly number: number;
  readonly of: number;
}

export interface Content<Said> {
  readonly said: Said;
  readonly numbers: Uint32Array | Float32Array;
}

export type IndexPiece = Uint8Array<ArrayBuffer>;

export function pieceOf({ save, number, of }: Frame, { said, numbers }: Content<unknown>): IndexPiece {
  const json = Buffer.from(JSON.stringify(said));
  const bytes = new Uint8Array(NUMBER * (FRAME + numbers.length) + json.length);
  new Uint32Array(bytes.buffer, 0, FRAME).set([save, number, of, numbers.length]);
  bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), NUMBER * FRAME);
  bytes.set(json, NUMBER * (FRAME + numbers.length));
  return bytes;
}

/** Undefined where it has none. */
export function frameOf(piece: IndexPiece): Frame | undefined {
  if (piece.length < NUMBER * FRAME || piece.byteOffset % NUMBER !== 0) return undefined;
  const [save = 0, number = 0, of = 0] = new Uint32Array(piece.buffer, piece.byteOffset, FRAME);
  return { save, number, of };
}

/** Throws where that is no piece. */
export function contentOf<Said>(
  piece: IndexPiece,
): Content<Said> & { readonly numbers: Uint32Array<ArrayBuffer> } {
  const { buffer, byteOffset } = piece;
  const [count = 0] = new Uint32Array(buffer, byteOffset + NUMBER * (FRAME - 1), 1);
  const numbers = new Uint32Array(buffer, byteOffset + NUMBER * FRAME, count);
  const json = Buffer.from(piece.buffer, byteOffset).subarray(NUMBER * (FRAME + count), piece.length);
  return { said: JSON.parse(json.toString('utf8')), numbers };
}
