import type { Meant } from './begunSearches.ts';
import type { IndexDocument, SearchRequest, SearchResult } from './documents.ts';
import type { Found } from './foundBothWays.ts';
import type {
  NearSource,
  VectorCount,
  VectorHit,
  VectorQuery,
  VectorSetName,
} from './vectors/vectorIndex.ts';
import type { VectorRows } from './vectors/vectorRows.ts';

/** What the thread of the indexes does, by name. Each call but the last says which index it is about. */
export interface IndexCalls {
  add(key: string, documents: readonly IndexDocument[]): Size;
  remove(key: string, episodeIds: readonly string[]): Size;
  search(key: string, request: SearchRequest): SearchResult;
  /** Finds by words, and keeps that for when this search is finished. */
  begin(key: string, search: number, request: SearchRequest): void;
  finish(key: string, search: number, request: SearchRequest, meaning?: Meaning): Found;
  drop(key: string): void;
  addVectors(key: string, name: VectorSetName, rows: VectorRows): VectorCount;
  removeVectors(key: string, owners: readonly string[]): VectorCount;
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

/** What an index takes now. */
export interface Size {
  readonly bytes: number;
}

export interface IndexJob {
  readonly name: keyof IndexCalls;
  readonly args: readonly unknown[];
}

export type IndexAnswer = { readonly value: unknown } | { readonly failure: string };
