import { parentPort } from 'node:worker_threads';
import { keepEnvironmentOutOfCrashReports } from '../../../crashReports.ts';
import type { FromThread, ThreadRequest } from '../../../restingThread.ts';
import { BegunSearches } from './begunSearches.ts';
import { Corpus } from './corpus.ts';
import type { IndexAnswer, IndexCalls, IndexJob, IndexKind } from './messages.ts';
import { type Content, contentOf, pieceOf } from './pieces.ts';
import { searchCorpus } from './searching.ts';
import { UserVectors } from './vectors/userVectors.ts';
import { nearestOnce } from './vectors/vectorIndex.ts';
import { fromRows } from './vectors/vectorRows.ts';

/* All indexes, in one thread. A user's index is an object of its own: no call can reach into another's. */

keepEnvironmentOutOfCrashReports();
const port = parentPort;
if (!port) throw new Error('The indexes live in a worker thread');

const corpora = new Map<string, Corpus>();
const vectors = new Map<string, UserVectors>();
const begun = new BegunSearches();
/** By kind and key, what an index has to be kept of it, until it changes. */
const kept = new Map<
  string,
  { readonly save: number; readonly contents: readonly (() => Content<unknown>)[] }
>();

function got<Index>(indexes: Map<string, Index>, key: string, make: () => Index): Index {
  const index = indexes.get(key) ?? make();
  indexes.set(key, index);
  return index;
}

const nothing = new Corpus();
const corpusOf = (key: string) => corpora.get(key) ?? nothing;
const sizeOf = (key: string) => {
  const { bytes = 0, documents = [] } = corpora.get(key) ?? {};
  return { bytes, entries: documents.length };
};
const sizeOfVectors = (key: string) => {
  const { bytes = 0, vectors: entries = 0 } = vectors.get(key)?.count() ?? {};
  return { bytes, entries };
};

const nearest: IndexCalls['nearest'] = (key, query) => vectors.get(key)?.nearest(query) ?? [];

const nameOf = (kind: IndexKind, key: string) => `${kind} ${key}`;

const calls: IndexCalls = {
  beginPieces(key, kind, save) {
    const contents = (kind === 'words' ? corpora : vectors).get(key)?.pieces() ?? [];
    kept.set(nameOf(kind, key), { save, contents });
    return contents.length;
  },
  piece(key, kind, number) {
    const { save = 0, contents = [] } = kept.get(nameOf(kind, key)) ?? {};
    const content = contents[number];
    if (number === contents.length - 1) kept.delete(nameOf(kind, key));
    return content && pieceOf({ save, number, of: contents.length }, content());
  },
  restore(key, kind, piece) {
    if (kind === 'words') got(corpora, key, () => new Corpus()).restore(contentOf(piece));
    else got(vectors, key, () => new UserVectors()).restore(contentOf(piece));
    return kind === 'words' ? sizeOf(key) : sizeOfVectors(key);
  },
  add(key, documents) {
    kept.delete(nameOf('words', key));
    got(corpora, key, () => new Corpus()).add(documents);
    return sizeOf(key);
  },
  // Made anew from what is left, so that no word of what went stays behind.
  remove(key, episodeIds) {
    kept.delete(nameOf('words', key));
    begun.forget(key);
    const gone = new Set(episodeIds);
    const { documents = [] } = corpora.get(key) ?? {};
    const left = documents.filter(({ episodeId }) => !gone.has(episodeId));
    if (left.length === documents.length) return sizeOf(key);
    const corpus = new Corpus();
    corpus.add(left);
    corpora.set(key, corpus);
    return sizeOf(key);
  },
  search: (key, request) => searchCorpus(corpusOf(key), request),
  begin: (key, search, request) => begun.begin(search, key, corpusOf(key), request),
  finish(key, search, request, meaning) {
    if (!meaning) return begun.finish(search, key, corpusOf(key), request);
    const { source, stated, ...rest } = meaning;
    const hits = 'hits' in source ? source.hits : nearest(source.key, source.query);
    const all = nearestOnce([...hits, ...stated]);
    return begun.finish(search, key, corpusOf(key), request, { ...rest, hits: all });
  },
  drop(key) {
    kept.delete(nameOf('words', key));
    begun.forget(key);
    corpora.delete(key);
  },
  addVectors(key, name, rows) {
    kept.delete(nameOf('vectors', key));
    got(vectors, key, () => new UserVectors()).add(name, fromRows(rows));
    return sizeOfVectors(key);
  },
  removeVectors(key, owners) {
    kept.delete(nameOf('vectors', key));
    vectors.get(key)?.remove(owners);
    return sizeOfVectors(key);
  },
  dropVectors(key) {
    kept.delete(nameOf('vectors', key));
    vectors.delete(key);
  },
  nearest,
  countAllVectors() {
    const counts = Array.from(vectors.values(), (one) => one.count());
    return {
      vectors: counts.reduce((sum, count) => sum + count.vectors, 0),
      bytes: counts.reduce((sum, count) => sum + count.bytes, 0),
    };
  },
};

port.postMessage('ready' satisfies FromThread<IndexAnswer>);
port.on('message', ({ id, job: { name, args } }: ThreadRequest<IndexJob>) => {
  const call = calls[name] as (...args: readonly unknown[]) => unknown;
  port.postMessage({ id, answer: answer(() => call(...args)) } satisfies FromThread<IndexAnswer>);
});

function answer(work: () => unknown): IndexAnswer {
  try {
    return { value: work() };
  } catch (error) {
    // What was being worked on is personal; where it failed is not.
    return { failure: error instanceof Error ? error.name : 'unknown' };
  }
}
