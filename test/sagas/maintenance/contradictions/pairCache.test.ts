import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { eventCatalog } from '../../../../src/events/catalog.ts';
import { memoryStream } from '../../../../src/events/memory.ts';
import { PairCache } from '../../../../src/sagas/maintenance/contradictions/pairCache.ts';
import type { StoreAdapter } from '../../../../src/store/adapter.ts';
import { Log } from '../../../../src/store/log.ts';
import { MemoryAdapter } from '../../../../src/store/memory/adapter.ts';
import { SqliteAdapter } from '../../../../src/store/sqlite/adapter.ts';
import { bytesOf, temporaryFolder } from '../../../support/dataDirectory.ts';
import { NOW } from '../../../support/given.ts';
import { range } from '../../../support/range.ts';

const ANN = 'ann';
const HOUR_MS = 60 * 60_000;
const pair = { judge: 'model@1', one: 'The user lives in Quedlinburg', other: 'The user lives in Lisbon' };

async function start(adapter: StoreAdapter) {
  const store = await Log.open(adapter, eventCatalog);
  const seen: string[] = [];
  const settings = { now: NOW, ttlMs: 24 * HOUR_MS };
  /** What the user believes. */
  const believed = new Set([pair.one, pair.other]);
  /** How often that was asked for. */
  const looks = { count: 0 };
  const processOf = () =>
    new PairCache({
      store: () => store,
      clock: () => settings.now,
      ttlMs: () => settings.ttlMs,
      async statementsOf() {
        looks.count++;
        return believed;
      },
      onLookup: (result) => seen.push(result),
    });
  /** In a process of its own. */
  const open = () => processOf().open(ANN);
  const forget = () =>
    store.append({
      stream: memoryStream(ANN),
      events: [{ type: 'memory.conclusions.erased', data: { conclusionIds: ['c1'], because: 'asked' } }],
      expected: 'any',
      at: NOW,
      userId: ANN,
      correlationId: 'test',
      causationId: null,
    });
  return { store, open, processOf, believed, forget, seen, settings, looks };
}

describe('verdicts on pairs', () => {
  const directory = temporaryFolder('pairs');

  test('are there again, whichever side comes first, and are those of their model', async () => {
    const { open, seen } = await start(new MemoryAdapter());
    const cache = await open();
    assert.equal(cache.find(pair), undefined);
    cache.keep(pair, 0.75);
    assert.equal(cache.find(pair), 0.75);
    assert.equal(cache.find({ ...pair, one: pair.other, other: pair.one }), 0.75);
    assert.equal(cache.find({ ...pair, judge: 'model@2' }), undefined);
    assert.equal(cache.find({ ...pair, one: 'The user lives in Rome' }), undefined);
    assert.deepEqual(seen, ['miss', 'hit', 'hit', 'miss', 'miss']);
  });

  test('count for as long as is set, and outlive the process', async () => {
    const { open, settings } = await start(new MemoryAdapter());
    const before = await open();
    before.keep(pair, 0.75);
    await before.save();
    settings.now += 23 * HOUR_MS;
    const again = await open();
    assert.equal(again.find(pair), 0.75);
    settings.now += HOUR_MS;
    assert.equal(again.find(pair), undefined);
    await again.save();
    settings.ttlMs *= 10;
    assert.equal((await open()).find(pair), undefined);
  });

  test('stay although nobody asks for them for a while', async () => {
    const { open, settings } = await start(new MemoryAdapter());
    const first = await open();
    first.keep(pair, 0.5);
    await first.save();
    settings.now += 12 * HOUR_MS;
    const second = await open();
    second.keep({ ...pair, other: 'The user lives in Rome' }, 0.75);
    await second.save();
    assert.equal((await open()).find(pair), 0.5);
    settings.now += 12 * HOUR_MS;
    assert.equal((await open()).find(pair), undefined);
  });

  test('are not more than there is room for, and the oldest go first', async () => {
    const { open } = await start(new MemoryAdapter());
    const cache = await open();
    const numbered = (n: number) => ({ ...pair, other: `The user has ${n} cats` });
    for (let n = 0; n <= 20_000; n++) cache.keep(numbered(n), 0.5);
    cache.keep(numbered(0), 0.75);
    await cache.save();
    const found = [0, 1, 2, 20_000].map((n) => cache.find(numbered(n)));
    assert.deepEqual(found, [0.75, undefined, 0.5, 0.5]);
  });

  test('of what was not forgotten stay in the process that knows them', async () => {
    const { processOf, forget, believed } = await start(new MemoryAdapter());
    const cache = processOf();
    const before = await cache.open(ANN);
    const other = { ...pair, other: 'The user lives in Rome' };
    before.keep(pair, 0.75);
    before.keep(other, 0.5);
    await before.save();
    believed.add(other.other).delete(pair.other);
    await forget();
    const after = await cache.open(ANN);
    assert.deepEqual([after.find(pair), after.find(other)], [undefined, 0.5]);
  });

  test('of one pair alone go with one of its sides', async () => {
    const { processOf, believed } = await start(new MemoryAdapter());
    const cache = processOf();
    (await cache.open(ANN)).keep(pair, 0.75);
    assert.equal((await cache.open(ANN)).find(pair), 0.75);
    believed.delete(pair.one);
    assert.equal((await cache.open(ANN)).find(pair), undefined);
  });

  test('are compared with what the user believes only where the process knows some', async () => {
    const { processOf, looks } = await start(new MemoryAdapter());
    const cache = processOf();
    const pairs = await cache.open(ANN);
    assert.equal(looks.count, 0);
    pairs.keep(pair, 0.75);
    await cache.open(ANN);
    assert.equal(looks.count, 1);
  });

  test('of 64 users stay in the process, and those go first who were not asked for the longest', async () => {
    const { processOf } = await start(new MemoryAdapter());
    const cache = processOf();
    const others = (from: number, to: number) => range(from, to).map((n) => `user ${n}`);
    const isKnown = async (userId: string) => (await cache.open(userId)).find(pair) !== undefined;
    (await cache.open(ANN)).keep(pair, 0.75);
    for (const other of others(0, 63)) (await cache.open(other)).keep(pair, 0.5);
    assert.equal(await isKnown(ANN), true, 'all 64 are');
    for (const other of others(63, 126)) await cache.open(other);
    assert.equal(await isKnown(ANN), true, 'and those of Ann, who was asked for last but 63');
    assert.equal(await isKnown('user 0'), false);
    for (const other of others(126, 190)) await cache.open(other);
    assert.equal(await isKnown(ANN), false);
  });

  for (const [statements, first] of [
    [999, 'opened'],
    [1_000, 'others'],
  ] as const) {
    test(`among ${statements} statements are found ${first === 'others' ? 'with' : 'without'} a breath for others`, async () => {
      const { processOf, believed } = await start(new MemoryAdapter());
      const cache = processOf();
      (await cache.open(ANN)).keep(pair, 0.75);
      for (const n of range(believed.size, statements)) believed.add(`The user has ${n} cats`);
      const order: string[] = [];
      setImmediate(() => order.push('others'));
      await cache.open(ANN);
      order.push('opened');
      assert.equal(order[0], first);
    });
  }

  test('are not kept beyond the process with what was forgotten meanwhile', async () => {
    const { open, forget } = await start(new MemoryAdapter());
    const before = await open();
    before.keep(pair, 0.75);
    await before.save();
    await forget();
    assert.equal((await open()).find(pair), undefined);
    const during = await open();
    during.keep(pair, 0.75);
    await forget();
    await during.save();
    assert.equal((await open()).find(pair), undefined);
    const after = await open();
    after.keep(pair, 0.75);
    await after.save();
    assert.equal((await open()).find(pair), 0.75);
  });

  test('leave no word and no digest on the disk', async () => {
    const { open, store } = await start(await SqliteAdapter.open(directory));
    const cache = await open();
    cache.keep(pair, 0.75);
    await cache.save();
    assert.equal((await open()).find(pair), 0.75);
    await store.close();
    for (const [name, bytes] of bytesOf(directory))
      for (const word of ['Quedlinburg', pair.judge, '0.75'])
        assert.equal(bytes.includes(word), false, `${word} in ${name}`);
  });
});
