import { Best } from '../best.ts';
import { directionOf } from './direction.ts';
import { type DotProducts, dotProductsIn, newMemory } from './dotProducts.ts';
import type { VectorEntry, VectorHit } from './vectorIndex.ts';

const PAGE = 65_536;
const ROWS_AT_ONCE = 4;
const FLOATS_AT_ONCE = 8;
const FLOAT = 4;

/** Vectors of one length, of length 1, row after row in a memory of their own that WebAssembly reads. */
export class VectorSet {
  readonly #memory = newMemory();
  readonly #dotProducts: DotProducts = dotProductsIn(this.#memory);
  readonly #dimensions: number;
  readonly #stride: number;
  readonly #ids: string[] = [];
  readonly #places = new Map<string, number>();
  #room = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / FLOATS_AT_ONCE) * FLOATS_AT_ONCE * FLOAT;
  }

  get ids(): readonly string[] {
    return this.#ids;
  }
  get size(): number {
    return this.#ids.length;
  }
  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Without a direction a vector is not taken in, and the one before it goes. */
  set({ id, vector }: VectorEntry): void {
    const unit = vector.length === this.#dimensions ? directionOf(vector) : undefined;
    if (!unit) return void this.delete(id);
    const place = this.#places.get(id) ?? this.#ids.push(id) - 1;
    this.#places.set(id, place);
    this.#makeRoom(this.#ids.length);
    this.#floats(this.#rowAt(place), this.#dimensions).set(unit);
  }

  /** The last row takes the place of the one that goes, so that nothing of it is left. */
  delete(id: string): boolean {
    const place = this.#places.get(id);
    const last = this.#ids.pop();
    if (place === undefined || last === undefined) {
      if (last !== undefined) this.#ids.push(last);
      return false;
    }
    const from = this.#rowAt(this.#ids.length);
    if (last !== id) {
      new Uint8Array(this.#memory.buffer).copyWithin(this.#rowAt(place), from, from + this.#stride);
      this.#ids[place] = last;
      this.#places.set(last, place);
    }
    this.#places.delete(id);
    this.#floats(from, this.#stride / FLOAT).fill(0);
    return true;
  }

  nearest(vector: Float32Array, limit: number, threshold: number): readonly VectorHit[] {
    const unit = vector.length === this.#dimensions ? directionOf(vector) : undefined;
    if (!unit || this.size === 0) return [];
    this.#floats(0, this.#dimensions).set(unit);
    const rows = Math.ceil(this.size / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    this.#dotProducts(0, this.#rowAt(0), rows, this.#stride, this.#out);
    const products = this.#floats(this.#out, this.size);
    const best = new Best(limit);
    for (let place = 0; place < products.length; place++) {
      const product = products[place] ?? 0;
      if (product >= threshold) best.offer(place, product);
    }
    return best.sorted().map(({ item, score }) => ({
      id: this.#ids[item] ?? '',
      similarity: Math.min(1, Math.max(-1, score)),
    }));
  }

  /* First the vector that is looked for, then the rows, then what comes out. */

  #rowAt(place: number): number {
    return this.#stride * (1 + place);
  }
  get #out(): number {
    return this.#rowAt(this.#room);
  }
  #floats(address: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, address, length);
  }

  #makeRoom(rows: number): void {
    if (rows <= this.#room) return;
    this.#room = Math.ceil(Math.max(64, 1.5 * rows) / ROWS_AT_ONCE) * ROWS_AT_ONCE;
    const missing = this.#out + FLOAT * this.#room - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    // The products stood where rows come now; what pads them must be zero.
    this.#floats(this.#rowAt(rows - 1), (this.#stride / FLOAT) * (this.#room - rows + 1)).fill(0);
  }
}
