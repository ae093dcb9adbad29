import type { DescribedPassage, IndexDocument, SearchRequest, SearchResult } from './documents.ts';
import type { VectorCount, VectorEntry, VectorHit, VectorQuery } from './vectors/vectorIndex.ts';

/** What the thread of the indexes does, by name. Each call but the last says which index it is about. */
export interface IndexCalls {
  add(key: string, documents: readonly IndexDocument[]): Size;
  remove(key: string, episodeIds: readonly string[]): Size;
  search(key: string, request: SearchRequest): SearchResult;
  describe(key: string, ids: readonly string[], query: DescribedQuery): readonly DescribedPassage[];
  drop(key: string): void;
  addVectors(key: string, model: string, entries: readonly VectorEntry[]): VectorCount;
  removeVectors(key: string, episodeIds: readonly string[]): VectorCount;
  dropVectors(key: string): void;
  nearest(key: string, query: VectorQuery): readonly VectorHit[];
  countAllVectors(): VectorCount;
}

/** By which the part of a text is chosen that is shown. */
export type DescribedQuery = Pick<SearchRequest, 'query' | 'now'>;

/** What an index takes now. */
export interface Size {
  readonly bytes: number;
}

export interface IndexRequest {
  readonly id: number;
  readonly name: keyof IndexCalls;
  readonly args: readonly unknown[];
}

export type IndexReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: string };
