import { Best } from '../best.ts';
import { CoarseRows } from './coarseRows.ts';
import { directionOf } from './direction.ts';
import { RowMemory } from './rowMemory.ts';
import type { VectorEntry, VectorHit } from './vectorIndex.ts';

const NUMBERS_AT_ONCE = 8;
const NUMBER = 4;
/** Of all of them, so many are rounded before each search but the first. */
const ROUNDED_AT_ONCE = 1 / 8;

/**
 * Vectors of one length, of length 1, and which of them are nearest: exactly, after a coarse look at those that have
 * been rounded. To round all of them takes longer than to compare all of them once, for which somebody may be waiting
 * who has just come back: searches do it little by little, and what is not rounded yet is compared in full.
 */
export class VectorSet {
  readonly dimensions: number;
  readonly #rows: RowMemory;
  readonly #coarse: CoarseRows;
  readonly #ids: string[] = [];
  readonly #places = new Map<string, number>();
  #isSearched = false;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    const stride = Math.ceil(dimensions / NUMBERS_AT_ONCE) * NUMBERS_AT_ONCE * NUMBER;
    this.#rows = new RowMemory({ head: stride, stride });
    this.#coarse = new CoarseRows(dimensions);
  }

  get ids(): readonly string[] {
    return this.#ids;
  }
  get size(): number {
    return this.#ids.length;
  }
  get bytes(): number {
    return this.#rows.buffer.byteLength + this.#coarse.bytes;
  }

  /** Without a direction a vector is not taken in, and the one before it goes. */
  set({ id, vector }: VectorEntry): void {
    const unit = this.#directionOf(vector);
    if (!unit) return void this.delete(id);
    this.#put(id, unit);
  }

  #put(id: string, unit: Float32Array): void {
    const place = this.#places.get(id) ?? this.#ids.push(id) - 1;
    this.#places.set(id, place);
    this.#rows.makeRoom(this.size);
    this.#coarse.makeRoom(this.size);
    this.#rowAt(place).set(unit);
    if (place < this.#coarse.size) this.#coarse.set(place, unit);
  }

  /** Of so many places, from one on: the vectors that stand there. */
  slice(from: number, until: number): { readonly ids: readonly string[]; readonly rows: Float32Array } {
    const rows = new Float32Array((until - from) * this.dimensions);
    for (let place = from; place < until; place++)
      rows.set(this.#rowAt(place), (place - from) * this.dimensions);
    return { ids: this.#ids.slice(from, until), rows };
  }

  /** What another had, and of how many in all. */
  restore(ids: readonly string[], rows: Float32Array, size: number): void {
    this.#rows.makeRoom(size);
    this.#coarse.makeRoom(size);
    for (const [index, id] of ids.entries())
      this.#put(id, rows.subarray(index * this.dimensions, (index + 1) * this.dimensions));
  }

  /** The last one takes the place of the one that goes, so that nothing of it is left. */
  delete(id: string): boolean {
    const place = this.#places.get(id);
    const last = this.#ids.at(-1);
    if (place === undefined || last === undefined) return false;
    this.#rows.moveLast(place, this.size);
    if (this.#coarse.size === this.size) this.#coarse.delete(place);
    else if (place < this.#coarse.size) this.#coarse.set(place, this.#rowAt(place));
    this.#ids[place] = last;
    this.#places.set(last, place);
    this.#ids.pop();
    this.#places.delete(id);
    return true;
  }

  nearest(vector: Float32Array, limit: number, threshold: number): readonly VectorHit[] {
    const unit = this.#directionOf(vector);
    if (!unit || this.size === 0) return [];
    if (this.#isSearched) this.#roundSome();
    this.#isSearched = true;
    const places = this.#coarse.candidates(unit, limit, threshold).concat(this.#unrounded());
    this.#numbers(0, this.dimensions).set(unit);
    this.#rows.multiplySome('dotProducts', places);
    const products = this.#numbers(this.#rows.out, this.size);
    const best = new Best(limit);
    for (const place of places) {
      const product = products[place] ?? 0;
      if (product >= threshold) best.offer(place, product);
    }
    return best.sorted().map(({ item, score }) => ({
      id: this.#ids[item] ?? '',
      similarity: Math.min(1, Math.max(-1, score)),
    }));
  }

  #roundSome(): void {
    const until = Math.min(this.size, this.#coarse.size + Math.ceil(this.size * ROUNDED_AT_ONCE));
    for (let place = this.#coarse.size; place < until; place++) this.#coarse.set(place, this.#rowAt(place));
  }

  #unrounded(): readonly number[] {
    const first = this.#coarse.size;
    return Array.from({ length: this.size - first }, (_, index) => first + index);
  }

  #rowAt(place: number): Float32Array {
    return this.#numbers(this.#rows.rowAt(place), this.dimensions);
  }

  #directionOf(vector: Float32Array): Float32Array | undefined {
    return vector.length === this.dimensions ? directionOf(vector) : undefined;
  }

  #numbers(address: number, length: number): Float32Array {
    return new Float32Array(this.#rows.buffer, address, length);
  }
}
