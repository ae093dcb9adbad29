import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { defineProjection, type Projection } from '../../src/projections/projection.ts';
import { ProjectionRuntime, viewAt } from '../../src/projections/runtime.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';

import { count, counted, note, noted } from '../store/sampleEvents.ts';
import { countingCatalog, totals } from '../support/counting.ts';
import { range } from '../support/range.ts';
import { replaceableAdapter } from '../support/replaceableAdapter.ts';
import { WatchedAdapter } from '../support/watchedAdapter.ts';

/** The numbers in the order in which they were taken in: shows whatever is missing, twice or out of order. */
const numbers = defineProjection({
  name: 'sample.numbers',
  version: 1,
  handles: [counted],
  initial: (): { list: number[] } => ({ list: [] }),
  apply: (state, { data }) => state.list.push(data.n),
});

const failingFrom = (bad: number) =>
  defineProjection({
    name: 'sample.failing',
    version: 1,
    handles: [counted],
    initial: () => ({ seen: 0 }),
    apply(state, { data }) {
      if (data.n >= bad) throw new TypeError(`cannot take ${bad}`);
      state.seen++;
    },
  });

describe('the projection runtime', () => {
  let adapter: WatchedAdapter;
  let log: Log;

  beforeEach(async () => {
    adapter = new WatchedAdapter();
    log = await Log.open(adapter, countingCatalog);
  });

  const append = async (from: number, to: number) => {
    for (const n of range(from, to)) await log.append(count(`s${n % 3}`, n));
  };
  const start = async (...projections: readonly Projection<unknown>[]) => {
    const views = new ProjectionRuntime(log, projections);
    await views.start();
    return views;
  };

  it('catches up with what was before, over many pages, passing by what is not handled', async () => {
    await append(0, 300);
    await log.append(note('ann', 'n1', 'a text'));
    await append(300, 600);
    const views = await start(numbers, totals);
    assert.deepEqual(views.view(numbers).list, range(0, 600));
    assert.equal(
      Object.values(views.view(totals)).reduce((a, b) => a + b),
      (599 * 600) / 2,
    );
    assert.equal(views.position, 601);
  });

  it('reads the log once for all projections', async () => {
    await append(0, 300);
    await start(numbers, totals);
    assert.equal(adapter.countOf('readAll'), 2);
  });

  it('takes in what is appended as soon as it is', async () => {
    const views = await start(numbers);
    for (const n of range(0, 20)) {
      await log.append(count('a', n));
      assert.deepEqual(views.view(numbers).list, range(0, n + 1));
    }
    await log.append(note('ann', 'n1', 'a text'));
    assert.equal(views.position, 21);
  });

  it('knows only what it runs', async () => {
    const views = await start(numbers);
    assert.throws(() => views.view(totals), TypeError);
    assert.throws(() => views.view(defineProjection({ ...numbers })), TypeError);
  });

  describe('while it catches up', () => {
    for (const call of ['readAll', 'loadSnapshot'] as const) {
      it(`takes in what is appended once and in order (at each ${call})`, async () => {
        await append(0, 600);
        let next = 600;
        adapter.before = async (name) => {
          if (name !== call || next >= 660) return;
          next += 15;
          await append(next - 15, next);
        };
        const views = await start(numbers);
        assert.deepEqual(views.view(numbers).list, range(0, next));
        assert.ok(next > 600);
        await append(next, next + 1);
        assert.equal(views.view(numbers).list.at(-1), next);
        assert.equal(views.position, next + 1);
      });
    }

    it('goes on from a snapshot, also when something is appended while that is loaded', async () => {
      await append(0, 1_000);
      await start(numbers);
      await append(1_000, 1_010);
      adapter.before = async (name) => {
        if (name !== 'loadSnapshot') return;
        adapter.before = () => {};
        await append(1_010, 1_020);
      };
      const views = await start(numbers);
      assert.deepEqual(views.view(numbers).list, range(0, 1_020));
    });

    it('saves nothing that a later start would take in twice', async () => {
      await append(0, 2_000);
      const views = new ProjectionRuntime(log, [numbers]);
      adapter.before = async (name) => {
        if (name === 'readAll') await views.saveSnapshots();
      };
      await views.start();
      adapter.before = () => {};
      assert.ok(adapter.countOf('saveSnapshot') > 0);
      assert.deepEqual((await start(numbers)).view(numbers).list, range(0, 2_000));
    });

    it('can be told to start again when the store went away', async () => {
      await append(0, 600);
      const views = new ProjectionRuntime(log, [numbers]);
      for (const call of ['loadSnapshot', 'readAll'] as const) {
        adapter.before = (name) => {
          if (name === call && (call !== 'readAll' || adapter.countOf('readAll') === 2))
            throw new HarkError('KVSTORE_UNAVAILABLE');
        };
        await assert.rejects(views.start(), { code: 'KVSTORE_UNAVAILABLE' });
      }
      adapter.before = () => {};
      await views.start();
      assert.deepEqual(views.view(numbers).list, range(0, 600));
    });
  });

  describe('keeps a snapshot', () => {
    const readFrom = () => {
      const call = adapter.calls.find(({ name }) => name === 'readAll');
      const [asked] = call?.args ?? [];
      return typeof asked === 'object' && asked !== null && 'after' in asked ? asked.after : undefined;
    };

    it('and starts from it the next time', async () => {
      await append(0, 1_200);
      await start(numbers);
      await append(1_200, 1_210);
      adapter.calls.length = 0;
      const views = await start(numbers);
      assert.equal(readFrom(), 1_200);
      assert.deepEqual(views.view(numbers).list, range(0, 1_210));
    });

    it('when it is told to, of all that it has taken in', async () => {
      const views = await start(numbers);
      await append(0, 1_000);
      await views.saveSnapshots();
      adapter.calls.length = 0;
      assert.deepEqual((await start(numbers)).view(numbers).list, range(0, 1_000));
      assert.equal(adapter.countOf('readAll'), 0);
    });

    it('now and then while the log grows, so that a kill leaves little to catch up with', async () => {
      await start(numbers);
      const many = range(0, 1_000).map((n) => count('s', n).events[0]);
      for (let batch = 0; batch < 10; batch++)
        await log.append({ ...count('s', 0), events: many.filter((event) => event !== undefined) });
      assert.equal(adapter.countOf('saveSnapshot'), 1);
    });

    it('only where that is worth it', async () => {
      await append(0, 999);
      const views = await start(numbers);
      assert.equal(adapter.countOf('saveSnapshot'), 0);
      await append(999, 1_000);
      await views.saveSnapshots();
      await views.saveSnapshots();
      assert.equal(adapter.countOf('saveSnapshot'), 1);
    });

    it('that counts for nothing once the projection means something else', async () => {
      await append(0, 1_000);
      await start(numbers);
      adapter.calls.length = 0;
      const newer = defineProjection({
        ...numbers,
        handles: [counted],
        version: 2,
        apply: (state, { data }) => state.list.push(-data.n),
      });
      assert.deepEqual(
        (await start(newer)).view(newer).list,
        range(0, 1_000).map((n) => -n),
      );
    });

    it('but starts where none can be written', async () => {
      await append(0, 1_000);
      adapter.before = (name) => {
        if (name === 'saveSnapshot') throw new HarkError('STORAGE_FULL');
      };
      assert.equal((await start(numbers)).view(numbers).list.length, 1_000);
    });

    it('for each projection, which catch up from different places', async () => {
      await append(0, 1_000);
      await start(numbers);
      await append(1_000, 1_010);
      const expected = await viewAt(log, totals, 1_010);
      const views = await start(numbers, totals);
      assert.deepEqual(views.view(numbers).list, range(0, 1_010));
      assert.deepEqual(views.view(totals), expected);
    });

    it('from which the past after it is seen, and the past before it from the log', async () => {
      await append(0, 1_000);
      await start(numbers);
      await append(1_000, 1_010);
      adapter.calls.length = 0;
      assert.deepEqual((await viewAt(log, numbers, 1_005)).list, range(0, 1_005));
      assert.equal(readFrom(), 1_000);
      assert.deepEqual((await viewAt(log, numbers, 999)).list, range(0, 999));
    });
  });

  describe('with a projection that fails', () => {
    it('has it stand still and say so, while the log and the others go on', async () => {
      const failing = failingFrom(5);
      const views = await start(failing, numbers);
      await append(0, 5);
      assert.equal(views.view(failing).seen, 5);
      await append(5, 10);
      const said = (error: unknown) =>
        error instanceof Error &&
        /sample\.failing failed at 6$/.test(error.message) &&
        error.cause instanceof TypeError;
      assert.throws(() => views.view(failing), said);
      assert.deepEqual(views.view(numbers).list, range(0, 10));
      assert.equal(views.position, 10);
      await assert.rejects(viewAt(log, failing, 10), said);
      assert.equal((await viewAt(log, failing, 5)).seen, 5);
    });

    it('starts all the same, and has it right once it is mended', async () => {
      await append(0, 1_100);
      const failing = failingFrom(1_050);
      const views = await start(failing, numbers);
      assert.throws(() => views.view(failing));
      assert.equal(views.view(numbers).list.length, 1_100);
      const mended = failingFrom(Number.POSITIVE_INFINITY);
      assert.equal((await start(mended)).view(mended).seen, 1_100);
    });
  });

  describe('when another log takes the place of its own', () => {
    it('starts over with that, and forgets the old', async () => {
      const { adapter: place, replaceBy } = replaceableAdapter();
      log = await Log.open(place, countingCatalog);
      await append(0, 50);
      const views = await start(numbers);
      const other = new MemoryAdapter();
      const before = await Log.open(other, countingCatalog);
      for (const n of range(100, 105)) await before.append(count('a', n));
      await replaceBy(other);
      await views.catchUp();
      assert.deepEqual(views.view(numbers).list, range(100, 105));
      assert.equal(views.position, 5);
      await log.append(count('a', 105));
      assert.deepEqual(views.view(numbers).list, range(100, 106));
    });

    it('does so with the next event when the store was away just then', async () => {
      const { adapter: place, replaceBy } = replaceableAdapter();
      log = await Log.open(place, countingCatalog);
      const views = await start(numbers);
      await append(0, 50);
      const other = new WatchedAdapter();
      const before = await Log.open(other, countingCatalog);
      for (const n of range(100, 105)) await before.append(count('a', n));
      other.before = (name) => {
        if (name === 'readAll') throw new HarkError('KVSTORE_UNAVAILABLE');
      };
      await replaceBy(other);
      await views.catchUp().catch(() => undefined);
      other.before = () => {};
      await log.append(count('a', 105));
      await views.catchUp();
      assert.deepEqual(views.view(numbers).list, range(100, 106));
    });
  });

  it('shows what is personal to a projection, until it is forgotten', async () => {
    const words = defineProjection({
      name: 'sample.words',
      version: 1,
      handles: [noted],
      initial: (): { texts: (string | null)[] } => ({ texts: [] }),
      apply: (state, { data }) => state.texts.push(data.text),
    });
    await log.append(note('ann', 'n1', 'a text'));
    assert.deepEqual((await viewAt(log, words, 1)).texts, ['a text']);
    await log.append({
      ...note('ann', 'n1', ''),
      events: [{ type: 'sample.note.forgotten', data: { notes: ['n1'] } }],
    });
    assert.deepEqual((await viewAt(log, words, 1)).texts, [null]);
  });
});
