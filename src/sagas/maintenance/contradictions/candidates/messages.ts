import type { OppositionSign } from '../../../../language/opposition.ts';
import type { Rows } from './blocks.ts';
import type { FoundNearest } from './nearestOfRows.ts';

export interface CandidateThreadData {
  /** So many will come. */
  readonly statements: number;
}

/** Some of the statements; their places go on from those that came before. */
export interface AddStatements {
  readonly kind: 'add';
  readonly texts: readonly string[];
  /** What each is about; the same for two that are known to be about one thing. */
  readonly topics: readonly (string | null)[];
  /** What each says is so, or not so, where that is known apart from its words; null where it is not. */
  readonly values: readonly (string | null)[];
  readonly negated: readonly (boolean | null)[];
  /** What each means, as a model says it: of any length, and of none where no model has. */
  readonly lengths: readonly number[];
  /** The vectors one after the other. */
  readonly vectors: Float32Array;
}

export interface SelectPairs {
  readonly kind: 'select';
  /** Of each statement, so many that are nearest. */
  readonly nearest: number;
  readonly most: number;
  /** Places of two that need no second look. */
  readonly settled: readonly (readonly [number, number])[];
}

/** Nobody wants the pairs any more: the thread comes to its end by itself. */
interface StopSelecting {
  readonly kind: 'stop';
}

export type CandidateRequest = AddStatements | SelectPairs | StopSelecting;

/** Two statements that may contradict each other, the one that came first before the other. */
export interface CandidatePair {
  readonly one: number;
  readonly other: number;
  /** The cosine. */
  readonly similarity: number;
  readonly score: number;
  readonly signs: readonly OppositionSign[];
}

export type CandidateReply =
  | { readonly kind: 'selected'; readonly pairs: readonly CandidatePair[] }
  /** By name alone: what an error says may quote a statement. */
  | { readonly kind: 'failed'; readonly error: string };

/** Rows of which two threads find the nearest, each among the pairs of blocks that it takes. */
export interface SharedWork {
  readonly rows: Rows;
  readonly taken: Int32Array<SharedArrayBuffer>;
  readonly nearest: number;
}

export type HelperRequest =
  | { readonly kind: 'work'; readonly id: number; readonly work: SharedWork }
  | { readonly kind: 'end' };

export type HelperReply =
  | { readonly kind: 'found'; readonly id: number; readonly found: FoundNearest }
  | { readonly kind: 'failed'; readonly id: number; readonly error: string };
