import { writeDirection } from '../../../../projections/memory/index/vectors/direction.ts';

/** Rows of one block: what is made of two of them stays near the processor. */
export const BLOCK = 512;

/** Vectors of length 1, one after the other, in memory that threads share; after the last one come zeros. */
export interface Rows {
  readonly count: number;
  readonly dimensions: number;
  readonly values: Float32Array<SharedArrayBuffer>;
}

/** Of so many vectors at most; those that point nowhere are left out. */
export function rowsOf(
  vectors: Iterable<Float32Array>,
  most: number,
  dimensions: number,
): { readonly rows: Rows; readonly kept: readonly number[] } {
  const size = Math.ceil(most / BLOCK) * BLOCK * dimensions;
  const values = new Float32Array(new SharedArrayBuffer(size * Float32Array.BYTES_PER_ELEMENT));
  const kept: number[] = [];
  let index = 0;
  for (const vector of vectors) {
    const from = kept.length * dimensions;
    if (writeDirection(vector, values.subarray(from, from + dimensions))) kept.push(index);
    index++;
  }
  return { rows: { count: kept.length, dimensions, values }, kept };
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
