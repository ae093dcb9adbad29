import type { Meant } from './begunSearches.ts';
import type { IndexDocument, SearchRequest, SearchResult } from './documents.ts';
import type { Found } from './foundBothWays.ts';
import type { IndexPiece } from './pieces.ts';
import type {
  NearSource,
  VectorCount,
  VectorHit,
  VectorQuery,
  VectorSetName,
} from './vectors/vectorIndex.ts';
import type { VectorRows } from './vectors/vectorRows.ts';

/** The indexes of a user. */
export type IndexKind = 'words' | 'vectors';

/** What the thread of the indexes does, by name. Each call but the last says which index it is about. */
export interface IndexCalls {
  /** Gets ready to give an index as bytes; says in how many pieces. */
  beginPieces(key: string, kind: IndexKind, save: number): number;
  /** Undefined when the index has changed since that was begun. */
  piece(key: string, kind: IndexKind, number: number): IndexPiece | undefined;
  restore(key: string, kind: IndexKind, piece: IndexPiece): Size;
  add(key: string, documents: readonly IndexDocument[]): Size;
  remove(key: string, episodeIds: readonly string[]): Size;
  search(key: string, request: SearchRequest): SearchResult;
  /** Finds by words, and keeps that for when this search is finished. */
  begin(key: string, search: number, request: SearchRequest): void;
  finish(key: string, search: number, request: SearchRequest, meaning?: Meaning): Found;
  drop(key: string): void;
  addVectors(key: string, name: VectorSetName, rows: VectorRows): Size;
  removeVectors(key: string, owners: readonly string[]): Size;
  dropVectors(key: string): void;
  nearest(key: string, query: VectorQuery): readonly VectorHit[];
  countAllVectors(): VectorCount;
}

/** What the query means, where that is known. */
export interface Meaning extends Omit<Meant, 'hits'> {
  readonly source: NearSource;
  /** Summaries of episodes on which something rests that is as near. */
  readonly stated: readonly VectorHit[];
}

/** What an index takes now, and of how many things it is. */
export interface Size {
  readonly bytes: number;
  readonly entries: number;
}

export interface IndexJob {
  readonly name: keyof IndexCalls;
  readonly args: readonly unknown[];
}

export type IndexAnswer = { readonly value: unknown } | { readonly failure: string };
