import { ownerOf } from '../documents.ts';
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
