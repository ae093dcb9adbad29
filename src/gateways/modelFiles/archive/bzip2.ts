import { Bits, BrokenArchive, Codes, LONGEST_CODE } from './codes.ts';

/*
 * Unpacks what bzip2 packed, a block at a time, as it is read: memory is that of one block, however much comes out. Sums
 * are checked, of each block and of the whole. Several streams after one another are one, as parallel packers write them.
 */

const BLOCK_STARTS = 0x314159265359;
const STREAM_ENDS = 0x177245385090;
const GROUP = 50;
const PIECE = 2 ** 16;

const sums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24;
  for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  return sum;
});

/** What is yielded is overwritten by what comes next. */
export function* unpackBzip2(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  const bits = new Bits(chunks);
  do {
    if (bits.take(24) !== 0x425a68) throw new BrokenArchive('It is not packed by bzip2');
    const level = bits.take(8) - 0x30;
    if (level < 1 || level > 9) throw new BrokenArchive('It is not packed by bzip2');
    const block = new Block(100_000 * level);
    let whole = 0;
    for (let starts = bits.take48(); starts !== STREAM_ENDS; starts = bits.take48()) {
      if (starts !== BLOCK_STARTS) throw new BrokenArchive('A block of it is damaged');
      const expected = bits.take32();
      block.read(bits);
      yield* block.pieces();
      if (block.sum !== expected) throw new BrokenArchive('A block of it is damaged');
      whole = (((whole << 1) | (whole >>> 31)) ^ expected) >>> 0;
    }
    if (bits.take32() !== whole) throw new BrokenArchive('It is damaged');
  } while (!bits.isOver());
}

class Block {
  readonly #most: number;
  /** Each byte, and above it where the next one is. */
  readonly #bytes: Uint32Array;
  #length = 0;
  #first = 0;
  sum = 0;

  constructor(most: number) {
    this.#most = most;
    this.#bytes = new Uint32Array(most);
  }

  read(bits: Bits): void {
    if (bits.take(1) === 1) throw new BrokenArchive('It was packed by a version from before 1996');
    const origin = bits.take(24);
    const symbols = readSymbols(bits);
    const groups = bits.take(3);
    const selectors = readSelectors(bits, groups);
    const tables = Array.from({ length: groups }, () => new Codes(readLengths(bits, symbols.length + 2)));
    const counts = this.#decode(bits, symbols, selectors, tables);
    if (origin >= this.#length) throw new BrokenArchive('A block of it is damaged');
    this.#link(counts);
    this.#first = (this.#bytes[origin] ?? 0) >>> 8;
  }

  /** Runs of the most recent symbol, and symbols by how recently they were used. */
  #decode(bits: Bits, symbols: Uint8Array, selectors: Uint8Array, tables: readonly Codes[]): Uint32Array {
    const bytes = this.#bytes;
    const most = this.#most;
    const counts = new Uint32Array(256);
    const end = symbols.length + 1;
    let length = 0;
    let run = 0;
    let weight = 1;
    let codes: Codes | undefined;
    for (let read = 0; ; read++) {
      if (read % GROUP === 0) codes = tables[selectors[read / GROUP] ?? -1];
      if (!codes) throw new BrokenArchive('A block of it is damaged');
      const symbol = codes.next(bits);
      if (symbol <= 1) {
        run += weight << symbol;
        weight *= 2;
        if (run > most - length) throw new BrokenArchive('A block of it is damaged');
        continue;
      }
      if (run > 0) {
        const byte = symbols[0] ?? 0;
        counts[byte] = (counts[byte] ?? 0) + run;
        bytes.fill(byte, length, length + run);
        length += run;
        run = 0;
        weight = 1;
      }
      if (symbol === end) break;
      if (length === most) throw new BrokenArchive('A block of it is damaged');
      const byte = symbols[symbol - 1] ?? 0;
      if (symbol > 16) symbols.copyWithin(1, 0, symbol - 1);
      else for (let place = symbol - 1; place > 0; place--) symbols[place] = symbols[place - 1] ?? 0;
      symbols[0] = byte;
      counts[byte] = (counts[byte] ?? 0) + 1;
      bytes[length++] = byte;
    }
    this.#length = length;
    return counts;
  }

  #link(counts: Uint32Array): void {
    const bytes = this.#bytes;
    for (let byte = 0, sum = 0; byte < 256; byte++) {
      const count = counts[byte] ?? 0;
      counts[byte] = sum;
      sum += count;
    }
    for (let at = 0; at < this.#length; at++) {
      const byte = (bytes[at] ?? 0) & 0xff;
      const place = counts[byte] ?? 0;
      counts[byte] = place + 1;
      bytes[place] = ((bytes[place] ?? 0) & 0xff) | (at << 8);
    }
  }

  /** After four equal bytes the next one says how many more there are. */
  *pieces(): Generator<Uint8Array> {
    const bytes = this.#bytes;
    const piece = new Uint8Array(PIECE + 256);
    let filled = 0;
    let sum = -1;
    let last = -1;
    let equal = 0;
    for (let left = this.#length, at = this.#first; left > 0; left--) {
      const entry = bytes[at] ?? 0;
      const byte = entry & 0xff;
      at = entry >>> 8;
      if (equal === 4) {
        for (let more = byte; more > 0; more--) {
          piece[filled++] = last;
          sum = (sum << 8) ^ (sums[(sum >>> 24) ^ last] ?? 0);
        }
        equal = 0;
        last = -1;
      } else {
        equal = byte === last ? equal + 1 : 1;
        last = byte;
        piece[filled++] = byte;
        sum = (sum << 8) ^ (sums[(sum >>> 24) ^ byte] ?? 0);
      }
      if (filled >= PIECE) {
        yield piece.subarray(0, filled);
        filled = 0;
      }
    }
    this.sum = ~sum >>> 0;
    if (filled > 0) yield piece.subarray(0, filled);
  }
}

function readSymbols(bits: Bits): Uint8Array {
  const ranges = bits.take(16);
  const symbols: number[] = [];
  for (let range = 0; range < 16; range++) {
    if ((ranges & (0x8000 >>> range)) === 0) continue;
    const used = bits.take(16);
    for (let one = 0; one < 16; one++) if ((used & (0x8000 >>> one)) !== 0) symbols.push(16 * range + one);
  }
  if (symbols.length === 0) throw new BrokenArchive('A block of it is damaged');
  return Uint8Array.from(symbols);
}

function readSelectors(bits: Bits, groups: number): Uint8Array {
  const count = bits.take(15);
  if (groups < 2 || groups > 6 || count === 0) throw new BrokenArchive('A block of it is damaged');
  const recent = Uint8Array.from({ length: groups }, (_, group) => group);
  return Uint8Array.from({ length: count }, () => {
    let place = 0;
    while (bits.take(1) === 1) if (++place >= groups) throw new BrokenArchive('A block of it is damaged');
    const group = recent[place] ?? 0;
    recent.copyWithin(1, 0, place);
    recent[0] = group;
    return group;
  });
}

function readLengths(bits: Bits, count: number): Uint8Array {
  let length = bits.take(5);
  return Uint8Array.from({ length: count }, () => {
    while (bits.take(1) === 1) length += bits.take(1) === 1 ? -1 : 1;
    if (length < 1 || length > LONGEST_CODE) throw new BrokenArchive('A block of it is damaged');
    return length;
  });
}
