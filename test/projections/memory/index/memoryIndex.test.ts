import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { afterEach, beforeEach, describe } from 'vitest';
import { SettableClock } from '../../../../src/clock.ts';
import { isHarkError } from '../../../../src/errors.ts';
import type { IndexDocument } from '../../../../src/projections/memory/index/documents.ts';
import { IndexThread } from '../../../../src/projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../../../../src/projections/memory/index/memoryIndex.ts';
import { InProcessVectors } from '../../../../src/projections/memory/index/vectors/inProcessVectors.ts';
import { episode, NOON } from './documents.ts';

const MINUTE = 60_000;

describe('the index of memory', () => {
  let thread: IndexThread;
  let clock: SettableClock;
  let kept: Map<string, readonly IndexDocument[]>;
  let loads: string[];
  beforeEach(() => {
    thread = new IndexThread();
    clock = new SettableClock(NOON);
    kept = new Map();
    loads = [];
  });
  afterEach(() => thread.close());

  const open = (more: { readonly mostBytes?: number; readonly idleMs?: number } = {}) =>
    new MemoryIndex(thread, {
      clock: clock.read,
      wake: clock.wake,
      ...more,
      async *documents(userId) {
        loads.push(userId);
        yield kept.get(userId) ?? [];
      },
    });
  const find = async (index: MemoryIndex, userId: string, query: string) => {
    const { episodes } = await index.search(userId, { query, limit: 10, now: clock.read() });
    return episodes.map(({ episodeId }) => episodeId).sort();
  };

  it('is loaded once, when it is first searched, and follows what is added and removed', async () => {
    kept.set('anna', [...episode('a', ['red fox']), ...episode('b', ['red hen'])]);
    const index = open();
    await index.add('anna', episode('early', ['red dawn']));
    assert.deepEqual(loads, []);
    assert.deepEqual(await Promise.all([find(index, 'anna', 'red'), find(index, 'anna', 'hen')]), [
      ['a', 'b'],
      ['b'],
    ]);
    await index.add('anna', [...episode('a', ['another text']), ...episode('c', ['red cow'])]);
    await index.remove('anna', ['b', 'nobody']);
    assert.deepEqual(await find(index, 'anna', 'red'), ['a', 'c']);
    assert.deepEqual(await find(index, 'anna', 'hen'), []);
    assert.deepEqual(loads, ['anna']);
  });

  it('takes in what comes while it is being loaded', async () => {
    kept.set('anna', episode('a', ['red fox']));
    const index = open();
    const searched = find(index, 'anna', 'red');
    await Promise.all([index.add('anna', episode('b', ['red hen'])), index.remove('anna', ['a'])]);
    await searched;
    assert.deepEqual(await find(index, 'anna', 'red'), ['b']);
  });

  it('goes when it was idle, and is loaded again when it is needed', async () => {
    kept.set('anna', episode('a', ['red fox']));
    const index = open({ idleMs: 10 * MINUTE });
    await find(index, 'anna', 'red');
    clock.advance(9 * MINUTE);
    await find(index, 'anna', 'red');
    clock.advance(9 * MINUTE);
    assert.equal(index.users, 1);
    clock.advance(MINUTE);
    assert.equal(index.users, 0);
    assert.deepEqual(await find(index, 'anna', 'red'), ['a']);
    assert.deepEqual(loads, ['anna', 'anna']);
  });

  it('goes when others need the room, and those first that were used longest ago', async () => {
    for (const user of ['anna', 'ben', 'cleo']) kept.set(user, episode(user, ['red fox '.repeat(1_000)]));
    const index = open({ mostBytes: 70_000 });
    for (const user of ['anna', 'ben', 'anna', 'cleo', 'anna', 'ben']) await find(index, user, 'red');
    assert.deepEqual(loads, ['anna', 'ben', 'cleo', 'ben']);
    assert.equal(index.users, 2);
  });

  it('is not left half filled when the documents cannot be read', async () => {
    let isBroken = true;
    const index = new MemoryIndex(thread, {
      clock: clock.read,
      wake: clock.wake,
      async *documents() {
        yield episode('a', ['red fox']);
        if (isBroken) throw new Error('cut off');
      },
    });
    await assert.rejects(find(index, 'anna', 'red'), /cut off/);
    assert.equal(index.users, 0);
    isBroken = false;
    assert.deepEqual(await find(index, 'anna', 'red'), ['a']);
  });

  it('dropped while it is loaded, is loaded again for whoever waits', async () => {
    kept.set('anna', episode('a', ['red fox']));
    const index = open();
    const searched = find(index, 'anna', 'red');
    kept.set('anna', episode('b', ['red hen']));
    index.drop('anna');
    assert.deepEqual(await searched, ['b']);
    assert.equal(index.users, 1);
  });

  it('tells nothing of what went between the beginning and the end of a search, and all of the rest', async () => {
    kept.set('anna', [...episode('a', ['red fox']), ...episode('b', ['red hen'])]);
    const index = open();
    const begin = () => index.begin('anna', { query: 'red', limit: 10, now: clock.read() });
    const endsWith = async (search: Awaited<ReturnType<typeof begin>>, hits?: readonly string[]) => {
      const source = { hits: (hits ?? []).map((id) => ({ id: `${id}:0`, similarity: 0.9 })) };
      const meaning = { source, stated: [], threshold: 0.5, isEnough: false };
      const { episodes } = await search.finish(hits && meaning);
      return episodes.map(({ episodeId, matchType }) => `${episodeId} ${matchType}`).sort();
    };
    assert.deepEqual(await endsWith(await begin()), ['a keyword', 'b keyword']);
    const [removed, dropped] = [await begin(), await begin()];
    await index.remove('anna', ['b']);
    assert.deepEqual(await endsWith(removed, ['a', 'b']), ['a keyword']);
    kept.set('anna', episode('c', ['blue whale']));
    index.drop('anna');
    assert.deepEqual(await endsWith(dropped, ['a', 'c']), ['c semantic']);
    const [one, other] = [await begin(), await begin()];
    assert.deepEqual([await endsWith(other, ['c']), await endsWith(one)], [['c semantic'], []]);
  });

  it('refuses when it is closed', async () => {
    const index = open();
    await thread.close();
    await assert.rejects(find(index, 'anna', 'red'), (error) => isHarkError(error, 'NOT_READY'));
  });

  const user = fc.constantFrom('anna', 'ben');
  const step = fc.record({
    user,
    what: fc.constantFrom('add', 'remove', 'drop', 'search'),
    episode: fc.nat(4),
  });

  it.prop([fc.array(step, { maxLength: 25 })], { numRuns: 40 })(
    'never shows one user what is of another, whatever both do',
    async (steps) => {
      kept = new Map();
      const index = open();
      for (const { user, what, episode: number } of steps) {
        const id = `${user}-${number}`;
        const own = kept.get(user) ?? [];
        if (what === 'add' && !own.some(({ episodeId }) => episodeId === id)) {
          kept.set(user, [...own, ...episode(id, ['a red fox'])]);
          await index.add(user, episode(id, ['a red fox']));
        } else if (what === 'remove') {
          kept.set(
            user,
            own.filter(({ episodeId }) => episodeId !== id),
          );
          await index.remove(user, [id]);
        } else if (what === 'drop') index.drop(user);
        const expected = (kept.get(user) ?? []).map(({ episodeId }) => episodeId).sort();
        assert.deepEqual(await find(index, user, 'fox'), expected);
      }
      for (const one of ['anna', 'ben']) index.drop(one);
    },
  );
});

describe('vectors in the process', () => {
  it('are loaded when they are needed, for their user alone', async () => {
    const thread = new IndexThread();
    const clock = new SettableClock(NOON);
    const vectors = new InProcessVectors(thread, {
      clock: clock.read,
      wake: clock.wake,
      idleMs: MINUTE,
      async *vectors(userId) {
        yield {
          models: [
            {
              of: 'passages' as const,
              model: 'm',
              entries: [{ id: `${userId}-1`, vector: Float32Array.of(1, 0) }],
            },
          ],
        };
      },
    });
    const near = async (userId: string) => {
      const hits = await vectors.search(userId, {
        of: 'passages',
        model: 'm',
        vector: Float32Array.of(1, 0),
        limit: 5,
        threshold: 0.5,
      });
      return hits.map(({ id }) => id);
    };
    const set = { of: 'passages', model: 'm' } as const;
    assert.deepEqual(await near('anna'), ['anna-1']);
    await vectors.add('anna', { ...set, entries: [{ id: 'anna-2', vector: Float32Array.of(1, 0.1) }] });
    await vectors.add('ben', { ...set, entries: [{ id: 'lost', vector: Float32Array.of(1, 0) }] });
    assert.deepEqual(await near('anna'), ['anna-1', 'anna-2']);
    assert.deepEqual(await near('ben'), ['ben-1']);
    await vectors.remove('anna', ['anna-1']);
    assert.deepEqual(await near('anna'), ['anna-2']);
    assert.equal((await vectors.countAll()).vectors, 2);
    clock.advance(MINUTE);
    assert.deepEqual(await near('anna'), ['anna-1']);
    await vectors.drop('anna');
    await thread.close();
  });
});
