export interface VectorEntry {
  readonly id: string;
  readonly vector: Float32Array;
}

/**
 * Only vectors of one model can be compared. Those of passages and of statements are apart: among many of the one kind
 * the few of the other would not be found.
 */
export interface VectorSetName {
  readonly of: 'passages' | 'statements';
  readonly model: string;
}

export interface ModelVectors extends VectorSetName {
  readonly entries: readonly VectorEntry[];
}

export interface VectorHit {
  readonly id: string;
  /** The cosine, from -1 to 1. */
  readonly similarity: number;
}

export interface VectorQuery extends VectorSetName {
  /** Compared with those of its length. */
  readonly vector: Float32Array;
  readonly limit: number;
  readonly threshold: number;
}

/** What is nearest, or where in the thread of the indexes that is found. */
export type NearSource =
  | { readonly hits: readonly VectorHit[] }
  | { readonly key: string; readonly query: VectorQuery };

export interface VectorCount {
  readonly vectors: number;
  readonly bytes: number;
}

/**
 * Finds what is nearest in meaning. Every call names the user, whose vectors are kept apart from all others'. A vector
 * without a direction (all zeros, or with something that is no number) is never found.
 */
export interface VectorIndex {
  /** An id that is there already gets the new vector. */
  add(userId: string, vectors: ModelVectors): Promise<void>;
  /** All vectors of these owners: episodes, and what statements go with. */
  remove(userId: string, owners: readonly string[]): Promise<void>;
  drop(userId: string): Promise<void>;
  /** The nearest first, none below the threshold. */
  search(userId: string, query: VectorQuery): Promise<readonly VectorHit[]>;
  /** The same for who goes on in the thread of the indexes. */
  near(userId: string, query: VectorQuery): Promise<NearSource>;
  /** Has the user's vectors there when they are searched. */
  prepare(userId: string): Promise<void>;
  /** Of all users whose vectors are there to be searched. */
  countAll(): Promise<VectorCount>;
}

/** As one name. */
export function nameOfSet({ of, model }: VectorSetName): string {
  return of === 'statements' ? `statements ${model}` : model;
}

/** The nearest first, each once, as near as it was found. */
export function nearestOnce(hits: readonly VectorHit[]): readonly VectorHit[] {
  const seen = new Set<string>();
  return hits
    .toSorted((one, other) => other.similarity - one.similarity)
    .filter(({ id }) => !seen.has(id) && seen.add(id));
}
