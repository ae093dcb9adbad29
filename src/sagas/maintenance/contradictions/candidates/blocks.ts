import { writeDirection } from '../../../../projections/memory/index/vectors/direction.ts';

/** Rows of one block: what is made of two of them stays near the processor. */
export const BLOCK = 512;

/** Vectors of length 1, one after the other, in memory that threads share; after the last one come zeros. */
export interface Rows {
  readonly count: number;
  readonly dimensions: number;
  readonly values: Float32Array<SharedArrayBuffer>;
}

/** Rows as they come, made ready while others are still on their way. */
export class GrowingRows {
  readonly #dimensions: number;
  #values: Rows['values'];
  #count = 0;

  /** With room for so many; there may be more. */
  constructor(dimensions: number, expected = 0) {
    this.#dimensions = dimensions;
    this.#values = memoryOf(expected, dimensions);
  }

  /** False, and it is left out, where the vector points nowhere. */
  add(vector: Float32Array): boolean {
    const from = this.#count * this.#dimensions;
    if (from >= this.#values.length) this.#grow();
    if (!writeDirection(vector, this.#values.subarray(from, from + this.#dimensions))) return false;
    this.#count++;
    return true;
  }

  get rows(): Rows {
    return { count: this.#count, dimensions: this.#dimensions, values: this.#values };
  }

  #grow(): void {
    const values = memoryOf(2 * this.#count, this.#dimensions);
    values.set(this.#values);
    this.#values = values;
  }
}

/** In whole blocks, and at least one. */
function memoryOf(rows: number, dimensions: number): Rows['values'] {
  const size = Math.max(1, Math.ceil(rows / BLOCK)) * BLOCK * dimensions;
  return new Float32Array(new SharedArrayBuffer(size * Float32Array.BYTES_PER_ELEMENT));
}

/** Of so many vectors at most; those that point nowhere are left out. */
export function rowsOf(
  vectors: Iterable<Float32Array>,
  most: number,
  dimensions: number,
): { readonly rows: Rows; readonly kept: readonly number[] } {
  const growing = new GrowingRows(dimensions, most);
  const kept: number[] = [];
  let index = 0;
  for (const vector of vectors) {
    if (growing.add(vector)) kept.push(index);
    index++;
  }
  return { rows: growing.rows, kept };
}

export function blockOf({ dimensions, values }: Rows, block: number): Float32Array {
  return values.subarray(block * BLOCK * dimensions, (block + 1) * BLOCK * dimensions);
}

/**
 * All pairs of blocks, each once, to be shared out between threads: who is free takes the next. So those that a
 * thread takes are in their order, and for each row the others that it is held against are.
 */
export class PairsOfBlocks {
  readonly taken: Int32Array<SharedArrayBuffer>;
  readonly #all: number;

  constructor({ count }: Rows, taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))) {
    const blocks = Math.ceil(count / BLOCK);
    this.#all = (blocks * (blocks + 1)) / 2;
    this.taken = taken;
  }

  /** The first is not after the second. */
  take(): readonly [number, number] | undefined {
    const index = Atomics.add(this.taken, 0, 1);
    if (index >= this.#all) return undefined;
    // Before those of block n come n(n + 1) / 2: whole numbers, of which the root is exact enough.
    const second = Math.floor((Math.sqrt(8 * index + 1) - 1) / 2);
    return [index - (second * (second + 1)) / 2, second];
  }

  /** Nobody gets any more. */
  close(): void {
    Atomics.store(this.taken, 0, this.#all);
  }
}
