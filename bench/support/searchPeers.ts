import { DatabaseSync } from 'node:sqlite';
import { importPeer } from '../ensurePeers.ts';

/** Finds the ten best of what it was made of. */
export type FindTen<Query> = (query: Query) => number;

export function bareFts5(texts: readonly string[]): FindTen<readonly string[]> {
  const db = new DatabaseSync(':memory:');
  db.exec("create virtual table found using fts5(text, content='', columnsize=1); begin");
  const insert = db.prepare('insert into found (rowid, text) values (?, ?)');
  for (const [index, text] of texts.entries()) insert.run(index + 1, text);
  db.exec("commit; insert into found (found) values ('optimize')");
  const select = db.prepare('select rowid from found where found match ? order by rank limit 10');
  return (words) => select.all(words.join(' OR ')).length;
}

interface MiniSearch {
  addAll(documents: readonly object[]): void;
  search(query: string, options: object): readonly object[];
}

export async function miniSearch(texts: readonly string[]): Promise<FindTen<readonly string[]>> {
  const { default: Index } = await importPeer<{ default: new (options: object) => MiniSearch }>('minisearch');
  const index = new Index({ fields: ['text'] });
  index.addAll(texts.map((text, id) => ({ id, text })));
  return (words) => index.search(words.join(' '), { combineWith: 'OR' }).slice(0, 10).length;
}

interface Usearch {
  exactSearch(
    all: Float32Array,
    wanted: Float32Array,
    dimensions: number,
    count: number,
    metric: string,
    threads: number,
  ): { readonly keys: BigUint64Array };
}

export async function usearchExact(
  vectors: Float32Array,
  dimensions: number,
): Promise<FindTen<Float32Array>> {
  const { default: usearch } = await importPeer<{ default: Usearch }>('usearch');
  return (wanted) => usearch.exactSearch(vectors, wanted, dimensions, 10, 'cos', 1).keys.length;
}
