import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../src/events/catalog.ts';
import { memoryStream } from '../../src/events/memory.ts';
import { SharedReading } from '../../src/folds/sharedReading.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import type { EventBatch, LogRange } from '../../src/store/port.ts';
import { aConclusion, anEpisode } from '../commands/memory/sample.ts';
import { NOW } from '../support/given.ts';

const EPISODES = new Set(['memory.episode.created']);
const CONCLUSIONS = new Set(['memory.conclusion.drawn']);
const PAIRS = 600;

/** A log with more than a page of both kinds, and every reading of it. */
async function start() {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const who = { userId: 'ann', correlationId: 'test', causationId: null };
  const events = Array.from({ length: PAIRS }, (_, n) => [anEpisode(`e${n}`), aConclusion(`c${n}`)]).flat();
  await log.append({ stream: memoryStream('ann'), events, expected: 'any', at: NOW, ...who });
  const reads: LogRange[] = [];
  const streams: string[] = [];
  const readAll = (range: LogRange) => {
    reads.push(range);
    return log.readAll(range);
  };
  const readStream = (stream: string) => {
    streams.push(stream);
    return log.readStream(stream);
  };
  return { reads, streams, reading: new SharedReading({ readAll, readStream }) };
}

async function count(pages: AsyncIterable<EventBatch>, types: ReadonlySet<string>, most = Infinity) {
  let found = 0;
  for await (const { events } of pages) {
    found += events.filter(({ type }) => types.has(type)).length;
    if (found >= most) break;
  }
  return found;
}

describe('the log of a user', () => {
  it('is read once for all who begin at once, and each finds what they look for', async () => {
    const { reads, reading } = await start();
    const both = [EPISODES, CONCLUSIONS].map((types) => count(reading.of('ann', types), types));
    assert.deepEqual(await Promise.all(both), [PAIRS, PAIRS]);
    assert.deepEqual(
      reads.map(({ userId, types }) => [userId, types]),
      [['ann', EPISODES.union(CONCLUSIONS)]],
    );
  });

  it('is read once for a stream of it too, and for nothing else it is the stream alone', async () => {
    const { reads, streams, reading } = await start();
    const both = [
      count(reading.of('ann', EPISODES), EPISODES),
      count(reading.ofStream('ann', memoryStream('ann')), CONCLUSIONS),
    ];
    assert.deepEqual(await Promise.all(both), [PAIRS, PAIRS]);
    assert.deepEqual(
      [reads.map(({ userId, types }) => [userId, types]), streams],
      [[['ann', undefined]], []],
    );
    assert.equal(await count(reading.ofStream('ann', memoryStream('ann')), CONCLUSIONS), PAIRS);
    assert.deepEqual([reads.length, streams], [1, [memoryStream('ann')]]);
  });

  it('is read on for one when the other has enough', async () => {
    const { reads, reading } = await start();
    const few = count(reading.of('ann', EPISODES), EPISODES, 1);
    const all = count(reading.of('ann', CONCLUSIONS), CONCLUSIONS);
    assert.ok((await few) < PAIRS);
    assert.deepEqual([await all, reads.length], [PAIRS, 1]);
  });

  it('is read anew for who comes later, and for another user', async () => {
    const { reads, reading } = await start();
    const first = reading.of('ann', EPISODES);
    await first.next();
    const later = count(reading.of('ann', EPISODES), EPISODES);
    const other = count(reading.of('ben', EPISODES), EPISODES);
    assert.deepEqual(await Promise.all([later, other]), [PAIRS, 0]);
    assert.equal(reads.length, 3);
    await first.return(undefined);
  });

  it('fails for all who read it', async () => {
    const reading = new SharedReading({
      async *readAll(): AsyncGenerator<EventBatch> {
        yield { events: [], position: 1 };
        throw new TypeError('Away');
      },
      async *readStream() {},
    });
    const both = [EPISODES, CONCLUSIONS].map((types) => count(reading.of('ann', types), types));
    for (const one of await Promise.allSettled(both)) assert.equal(one.status, 'rejected');
  });
});
