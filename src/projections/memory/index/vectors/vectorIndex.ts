export interface VectorEntry {
  readonly id: string;
  readonly vector: Float32Array;
}

export interface ModelVectors {
  readonly model: string;
  readonly entries: readonly VectorEntry[];
}

export interface VectorHit {
  readonly id: string;
  /** The cosine, from -1 to 1. */
  readonly similarity: number;
}

export interface VectorQuery {
  /** Only vectors of one model, and of one length, can be compared. */
  readonly model: string;
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
  add(userId: string, model: string, entries: readonly VectorEntry[]): Promise<void>;
  /** All vectors of these episodes. */
  remove(userId: string, episodeIds: readonly string[]): Promise<void>;
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
