import { ownerOf } from '../documents.ts';
import type { Content } from '../pieces.ts';
import {
  nameOfSet,
  type VectorCount,
  type VectorEntry,
  type VectorHit,
  type VectorQuery,
  type VectorSetName,
} from './vectorIndex.ts';
import { VectorSet } from './vectorSet.ts';

/** Longer than of any model that is known; what is longer is no vector. */
const MOST_DIMENSIONS = 16_384;
const NUMBERS_A_PIECE = 2 ** 17;

/** Some vectors of a set, of which there are so many. */
export interface VectorPart {
  readonly key: string;
  readonly dimensions: number;
  readonly size: number;
  readonly ids: readonly string[];
}

/** The vectors of one user, apart by what they are of, by model and by length. */
export class UserVectors {
  readonly #sets = new Map<string, VectorSet>();

  add(name: VectorSetName, entries: readonly VectorEntry[]): void {
    for (const entry of entries) {
      const key = keyOf(name, entry.vector.length);
      // A model that changed its length would otherwise leave the vector of an earlier text.
      for (const [other, set] of this.#sets)
        if (other !== key && nameIn(other) === nameOfSet(name)) set.delete(entry.id);
      if (entry.vector.length === 0 || entry.vector.length > MOST_DIMENSIONS) continue;
      const set = this.#sets.get(key) ?? new VectorSet(entry.vector.length);
      this.#sets.set(key, set);
      set.set(entry);
    }
    this.#forgetEmpty();
  }

  remove(owners: readonly string[]): void {
    const gone = new Set(owners);
    for (const set of this.#sets.values())
      for (const id of [...set.ids]) if (gone.has(ownerOf(id))) set.delete(id);
    this.#forgetEmpty();
  }

  /** All of them, to be taken in again by another. */
  pieces(): readonly (() => Content<VectorPart>)[] {
    return [...this.#sets].flatMap(([key, set]) => {
      const most = Math.max(1, Math.floor(NUMBERS_A_PIECE / set.dimensions));
      return Array.from({ length: Math.ceil(set.size / most) }, (_, index) => () => {
        const { ids, rows } = set.slice(index * most, Math.min(set.size, (index + 1) * most));
        return { said: { key, dimensions: set.dimensions, size: set.size, ids }, numbers: rows };
      });
    });
  }

  /** What another had in its pieces, in their order, while there is nothing here yet. */
  restore({ said: { key, dimensions, size, ids }, numbers }: Content<VectorPart>): void {
    const set = this.#sets.get(key) ?? new VectorSet(dimensions);
    this.#sets.set(key, set);
    set.restore(ids, new Float32Array(numbers.buffer, numbers.byteOffset, numbers.length), size);
  }

  nearest({ vector, limit, threshold, ...name }: VectorQuery): readonly VectorHit[] {
    return this.#sets.get(keyOf(name, vector.length))?.nearest(vector, limit, threshold) ?? [];
  }

  count(): VectorCount {
    const sets = Array.from(this.#sets.values());
    return {
      vectors: sets.reduce((sum, { size }) => sum + size, 0),
      bytes: sets.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  #forgetEmpty(): void {
    for (const [key, { size }] of this.#sets) if (size === 0) this.#sets.delete(key);
  }
}

function keyOf(name: VectorSetName, dimensions: number): string {
  return `${dimensions} ${nameOfSet(name)}`;
}

function nameIn(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}
