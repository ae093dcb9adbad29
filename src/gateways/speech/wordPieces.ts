/*
 * How a model writes words: in the pieces of its `tokens.txt`, which it was taught with. A file of sentencepiece (`bpe.model`)
 * says how words are cut into them; without one, into as few as there can be.
 */

interface Piece {
  readonly text: string;
  /** The higher, the sooner it is taken. */
  readonly score: number;
}

interface PieceModel {
  readonly pieces: readonly Piece[];
  /** Whether pairs are joined, best first; else the best of all ways is taken. */
  readonly isJoined: boolean;
}

/** Before the first piece of a word. */
const BEGINS = '\u2581';
/** Phrases have a few words: longer ones would take the square of their length. */
const LONGEST_WORD = 64;

/** The pieces of one model. */
export class WordPieces {
  readonly #known: ReadonlySet<string>;
  readonly #scores: ReadonlyMap<string, number>;
  readonly #isJoined: boolean;

  /** `tokens`: a piece and its number a line. */
  constructor(tokens: string, model?: Uint8Array) {
    const listed = tokens.split('\n').flatMap((line) => /^(\S+)\s+\d+\s*$/.exec(line)?.[1] ?? []);
    this.#known = new Set(listed);
    const { pieces, isJoined } = model
      ? pieceModelIn(model)
      : { pieces: listed.map((text, index) => ({ text, score: -1 - index * 1e-6 })), isJoined: false };
    this.#isJoined = isJoined;
    this.#scores = new Map(pieces.map(({ text, score }) => [text, score]));
  }

  /** Undefined where the model cannot write it, in small letters or in capitals. */
  write(phrase: string): readonly string[] | undefined {
    const words = phrase
      .normalize('NFKC')
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0 || words.some((word) => word.length > LONGEST_WORD)) return undefined;
    for (const said of [
      words,
      words.map((word) => word.toLowerCase()),
      words.map((word) => word.toUpperCase()),
    ]) {
      const pieces = said.flatMap((word) => this.#cut(BEGINS + word) ?? ['']);
      if (pieces.every((piece) => this.#known.has(piece))) return pieces;
    }
    return undefined;
  }

  /** Where all of them are its own. */
  takes(pieces: readonly string[]): boolean {
    return pieces.length > 0 && pieces.every((piece) => this.#known.has(piece));
  }

  #cut(word: string): readonly string[] | undefined {
    return this.#isJoined ? this.#join(word) : this.#bestOf(word);
  }

  #join(word: string): readonly string[] {
    const parts = [...word];
    while (true) {
      let best: { readonly at: number; readonly text: string; readonly score: number } | undefined;
      for (let at = 0; at + 1 < parts.length; at++) {
        const text = `${parts[at]}${parts[at + 1]}`;
        const score = this.#scores.get(text);
        if (score !== undefined && (!best || score > best.score)) best = { at, text, score };
      }
      if (!best) return parts;
      parts.splice(best.at, 2, best.text);
    }
  }

  #bestOf(word: string): readonly string[] | undefined {
    /** Of all ways to write what lies before a place, the best. */
    const ways: ({ readonly pieces: readonly string[]; readonly score: number } | undefined)[] = [
      { pieces: [], score: 0 },
    ];
    for (let end = 1; end <= word.length; end++)
      for (let from = 0; from < end; from++) {
        const text = word.slice(from, end);
        const [before, score] = [ways[from], this.#scores.get(text)];
        if (!before || score === undefined) continue;
        const known = ways[end];
        if (!known || before.score + score > known.score)
          ways[end] = { pieces: [...before.pieces, text], score: before.score + score };
      }
    return ways[word.length]?.pieces;
  }
}

const PIECE_FIELD = 1;
const TRAINER_FIELD = 2;
const NORMAL = 1;
const JOINED = 2;
/** Of the tenth byte of a number: negative ones have as many. */
const MOST_FACTOR = 128 ** 9;

/** Of a file of sentencepiece what says how words are cut. Throws for what is none. */
function pieceModelIn(bytes: Uint8Array): PieceModel {
  const pieces: Piece[] = [];
  let isJoined = false;
  for (const { field, value } of fieldsIn(bytes)) {
    if (!(value instanceof Uint8Array)) continue;
    const parts = new Map(Array.from(fieldsIn(value), (part) => [part.field, part.value]));
    if (field === TRAINER_FIELD) isJoined = parts.get(3) === JOINED;
    const [text, score, kind = NORMAL] = [parts.get(1), parts.get(2), parts.get(3)];
    if (field === PIECE_FIELD && kind === NORMAL && text instanceof Uint8Array && typeof score === 'number')
      pieces.push({ text: Buffer.from(text).toString(), score });
  }
  return { pieces, isJoined };
}

/** Of a message as Protocol Buffers write it. */
function* fieldsIn(
  bytes: Uint8Array,
): Generator<{ readonly field: number; readonly value: number | Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      if (factor >= MOST_FACTOR) throw new RangeError('No number');
    }
  };
  while (at < bytes.byteLength) {
    const key = number();
    const [field, kind] = [Math.floor(key / 8), key % 8];
    if (kind === 0) yield { field, value: number() };
    else if (kind === 5) {
      yield { field, value: view.getFloat32(at, true) };
      at += 4;
    } else if (kind === 1) at += 8;
    else if (kind === 2) {
      const length = number();
      if (length > bytes.byteLength - at) throw new RangeError('No message');
      yield { field, value: bytes.subarray(at, at + length) };
      at += length;
    } else throw new RangeError('No message');
  }
}
