import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { systemClock, systemWake } from '../src/clock.ts';
import type { IndexDocument } from '../src/projections/memory/index/documents.ts';
import { IndexThread } from '../src/projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../src/projections/memory/index/memoryIndex.ts';
import { InProcessVectors } from '../src/projections/memory/index/vectors/inProcessVectors.ts';
import { longestBlock } from './support/mainThread.ts';
import { percentile, Samples } from './support/measure.ts';
import { bareFts5, miniSearch, usearchExact } from './support/searchPeers.ts';
import { Summaries } from './support/summaries.ts';
import { type Benchmark, limitRow } from './support/table.ts';

const EPISODES = 10_000;
const DIMENSIONS = 384;
const QUERIES = 500;
const WARM_UP = 100;
const USER = 'anna';
const ACTIVE_USERS = fileURLToPath(new URL('./support/activeUsers.ts', import.meta.url));
const loading = { clock: systemClock, wake: systemWake };

export const search: Benchmark = {
  title: `Searching ${EPISODES.toLocaleString('en-US')} episodes of 30 words, and as many vectors of ${DIMENSIONS}`,
  async run(rounds) {
    const samples = new Samples();
    const summaries = new Summaries();
    const texts = Array.from({ length: EPISODES }, () => summaries.text());
    const queries = Array.from({ length: QUERIES + WARM_UP }, () => summaries.query());
    const vectors = Array.from({ length: EPISODES }, () => summaries.vector(DIMENSIONS));
    const wanted = Array.from({ length: QUERIES + WARM_UP }, () => summaries.vector(DIMENSIONS));
    for (let round = 0; round < rounds; round++) {
      await searchWords(texts, queries, samples);
      await searchVectors(vectors, wanted, samples);
      samples.add('20 active', { mib: Number(execFileSync(process.execPath, [ACTIVE_USERS]).toString()) });
    }
    return rowsOf(samples);
  },
};

function rowsOf(samples: Samples) {
  const beside = (column: string, ...names: readonly string[]) =>
    names.map((name) => `${name}: ${samples.median(name, column).toFixed(2)}`).join(', ');
  const ours = (column: string) => samples.median('hark', column);
  return [
    limitRow('by words, ten best, p50', ours('p50'), 0.6, 'ms', beside('p50', 'bare FTS5', 'minisearch')),
    limitRow('by words, ten best, p99', ours('p99'), 3, 'ms', beside('p99', 'bare FTS5', 'minisearch')),
    limitRow(
      'a cold user, until found',
      ours('build'),
      100,
      'ms',
      beside('build', 'bare FTS5', 'minisearch'),
    ),
    limitRow('main thread blocked meanwhile', ours('blocked'), 10, 'ms'),
    limitRow('by vectors, ten best, p50', ours('vector'), 0.6, 'ms', beside('vector', 'usearch exact')),
    limitRow('20 of 1,000 users active, resident', samples.median('20 active', 'mib'), 300, 'MiB'),
  ];
}

async function searchWords(
  texts: readonly string[],
  queries: readonly (readonly string[])[],
  samples: Samples,
): Promise<void> {
  for (const [name, build] of [
    ['bare FTS5', bareFts5],
    ['minisearch', miniSearch],
  ] as const) {
    globalThis.gc?.();
    const started = performance.now();
    const find = await build(texts);
    samples.add(name, {
      build: performance.now() - started,
      ...(await timed(queries, async (query) => find(query))),
    });
  }
  const thread = new IndexThread();
  await thread.call('drop', 'nobody');
  const index = new MemoryIndex(thread, {
    ...loading,
    async *documents() {
      yield texts.map((text, at): IndexDocument => {
        return { id: `e${at}`, episodeId: `e${at}`, kind: 'episode', text, at, importance: 0.5 };
      });
    },
  });
  globalThis.gc?.();
  const find = async (query: readonly string[]) => {
    const { episodes } = await index.search(USER, { query: query.join(' '), limit: 10, now: EPISODES });
    return episodes.length;
  };
  const started = performance.now();
  const blocked = await longestBlock(() => find(queries[0] ?? []));
  samples.add('hark', { build: performance.now() - started, blocked, ...(await timed(queries, find)) });
  await thread.close();
}

async function searchVectors(
  vectors: readonly Float32Array[],
  wanted: readonly Float32Array[],
  samples: Samples,
): Promise<void> {
  const flat = new Float32Array(EPISODES * DIMENSIONS);
  for (const [index, vector] of vectors.entries()) flat.set(vector, index * DIMENSIONS);
  const peer = await usearchExact(flat, DIMENSIONS);
  samples.add('usearch exact', { vector: (await timed(wanted, async (vector) => peer(vector))).p50 });
  const thread = new IndexThread();
  const index = new InProcessVectors(thread, {
    ...loading,
    async *vectors() {
      yield {
        models: [
          {
            of: 'passages' as const,
            model: 'm',
            entries: vectors.map((vector, at) => ({ id: `e${at}`, vector })),
          },
        ],
      };
    },
  });
  const find = async (vector: Float32Array) => {
    const hits = await index.search(USER, { of: 'passages', model: 'm', vector, limit: 10, threshold: -1 });
    return hits.length;
  };
  samples.add('hark', { vector: (await timed(wanted, find)).p50 });
  await thread.close();
}

/** One after the other; nothing may come back empty. */
async function timed<Query>(
  queries: readonly Query[],
  find: (query: Query) => Promise<number>,
): Promise<{ p50: number; p99: number }> {
  const times: number[] = [];
  for (const query of queries) {
    const started = performance.now();
    if ((await find(query)) === 0) throw new Error('Nothing was found');
    times.push(performance.now() - started);
  }
  const measured = times.slice(WARM_UP);
  return { p50: percentile(measured, 50), p99: percentile(measured, 99) };
}
