import type { VectorEntry } from './vectorIndex.ts';

/** Vectors of one length, one after the other: to send each by itself takes longer than all the rest. */
export interface VectorRows {
  readonly ids: readonly string[];
  readonly dimensions: number;
  readonly numbers: Float32Array<ArrayBuffer>;
}

/** In their order, so many together at most. */
export function* inRows(entries: readonly VectorEntry[], most: number): Generator<VectorRows> {
  for (let from = 0; from < entries.length; ) {
    const dimensions = entries[from]?.vector.length ?? 0;
    let until = from + 1;
    while (until - from < most && entries[until]?.vector.length === dimensions) until++;
    const some = entries.slice(from, until);
    const numbers = new Float32Array(some.length * dimensions);
    for (const [index, { vector }] of some.entries()) numbers.set(vector, index * dimensions);
    yield { ids: some.map(({ id }) => id), dimensions, numbers };
    from = until;
  }
}

export function fromRows({ ids, dimensions, numbers }: VectorRows): readonly VectorEntry[] {
  return ids.map((id, index) => {
    return { id, vector: numbers.subarray(index * dimensions, (index + 1) * dimensions) };
  });
}
