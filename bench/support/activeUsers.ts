import { systemClock, systemWake } from '../../src/clock.ts';
import type { IndexDocument } from '../../src/projections/memory/index/documents.ts';
import { IndexThread } from '../../src/projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../../src/projections/memory/index/memoryIndex.ts';
import { InProcessVectors } from '../../src/projections/memory/index/vectors/inProcessVectors.ts';
import { Summaries } from './summaries.ts';

/* A process of its own: users search one after the other, and in the end it says what is resident. */

const USERS = 1_000;
const ACTIVE = 20;
const EPISODES = 1_000;
const DIMENSIONS = 384;
const BATCH = 250;

const summaries = new Summaries();
const thread = new IndexThread();
const loading = { clock: systemClock, wake: systemWake };
const index = new MemoryIndex(thread, {
  ...loading,
  async *documents() {
    for (let from = 0; from < EPISODES; from += BATCH)
      yield Array.from({ length: BATCH }, (_, offset): IndexDocument => {
        const id = `episode-${from + offset}`;
        return {
          id,
          episodeId: id,
          kind: 'episode',
          text: summaries.text(),
          at: from + offset,
          importance: 0.5,
        };
      });
  },
});
const entriesFrom = (from: number) =>
  Array.from({ length: BATCH }, (_, offset) => ({
    id: `episode-${from + offset}`,
    vector: summaries.vector(DIMENSIONS),
  }));
const vectors = new InProcessVectors(thread, {
  ...loading,
  async *vectors() {
    for (let from = 0; from < EPISODES; from += BATCH)
      yield { models: [{ of: 'passages' as const, model: 'm', entries: entriesFrom(from) }] };
  },
});
for (let user = 0; user < USERS; user += USERS / ACTIVE) {
  const query = summaries.query().join(' ');
  await index.search(`user-${user}`, { query, limit: 10, now: systemClock() });
  const vector = summaries.vector(DIMENSIONS);
  await vectors.search(`user-${user}`, { of: 'passages', model: 'm', vector, limit: 10, threshold: 0 });
}
process.stdout.write(`${process.memoryUsage.rss() / 2 ** 20}\n`);
await thread.close();
