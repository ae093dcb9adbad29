export const LONGEST_CODE = 20;
const LOOKED_UP = 10;

/** Without any path: whoever runs the service is told. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive';
}

/** Bits of bytes that come in pieces, the highest first. */
export class Bits {
  readonly #chunks: Iterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(chunks: Iterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.iterator]();
  }

  /** At most 24. */
  take(count: number): number {
    while (this.#count < count) {
      this.#held = (this.#held << 8) | this.#byte();
      this.#count += 8;
    }
    this.#count -= count;
    return (this.#held >>> this.#count) & ((1 << count) - 1);
  }

  /** What comes next, at most 16; where it ends, zeros follow. */
  peek(count: number): number {
    while (this.#count < count) {
      if (!this.#hasMore()) return (this.#held << (count - this.#count)) & ((1 << count) - 1);
      this.#held = (this.#held << 8) | (this.#chunk[this.#at++] ?? 0);
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - count)) & ((1 << count) - 1);
  }

  skip(count: number): void {
    if (count > this.#count) throw new BrokenArchive('It ends in the middle');
    this.#count -= count;
  }

  take48(): number {
    return this.take(24) * 2 ** 24 + this.take(24);
  }

  take32(): number {
    return ((this.take(16) << 16) | this.take(16)) >>> 0;
  }

  /** Whether nothing more comes, from the next whole byte on. */
  isOver(): boolean {
    this.#count -= this.#count % 8;
    return this.#count === 0 && !this.#hasMore();
  }

  #byte(): number {
    if (!this.#hasMore()) throw new BrokenArchive('It ends in the middle');
    return this.#chunk[this.#at++] ?? 0;
  }

  #hasMore(): boolean {
    while (this.#at === this.#chunk.length) {
      const next = this.#chunks.next();
      if (next.done) return false;
      this.#chunk = next.value;
      this.#at = 0;
    }
    return true;
  }
}

/** Shorter codes are smaller numbers. Most are short: those are looked up at once. */
export class Codes {
  readonly #symbols: Uint16Array;
  /** Of each length, the largest one and where its symbols are. */
  readonly #largest = new Int32Array(LONGEST_CODE + 2).fill(-1);
  readonly #offset = new Int32Array(LONGEST_CODE + 2);
  readonly #shortest: number;
  /** By what comes next: the symbol, and in the lowest bits how long it is; 0 for a longer one. */
  readonly #short = new Uint16Array(2 ** LOOKED_UP);

  constructor(lengths: Uint8Array) {
    this.#symbols = new Uint16Array(lengths.length);
    this.#shortest = Math.min(...lengths);
    let placed = 0;
    for (let length = this.#shortest, code = 0; length <= LONGEST_CODE; length++, code <<= 1) {
      const before = placed;
      for (let symbol = 0; symbol < lengths.length; symbol++) {
        if (lengths[symbol] !== length) continue;
        this.#symbols[placed++] = symbol;
        const first = (code + placed - before - 1) << (LOOKED_UP - length);
        if (length <= LOOKED_UP)
          this.#short.fill((symbol << 4) | length, first, first + (1 << (LOOKED_UP - length)));
      }
      code += placed - before;
      this.#largest[length] = code - 1;
      this.#offset[length] = placed - code;
    }
  }

  next(bits: Bits): number {
    const found = this.#short[bits.peek(LOOKED_UP)] ?? 0;
    if (found !== 0) {
      bits.skip(found & 15);
      return found >> 4;
    }
    let length = this.#shortest;
    for (let code = bits.take(length); length <= LONGEST_CODE; length++, code = (code << 1) | bits.take(1)) {
      if (code > (this.#largest[length] ?? -1)) continue;
      const symbol = this.#symbols[code + (this.#offset[length] ?? 0)];
      if (symbol !== undefined) return symbol;
    }
    throw new BrokenArchive('A block of it is damaged');
  }
}
