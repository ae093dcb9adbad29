import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'vitest';
import { StreamStates } from '../../src/folds/streamStates.ts';
import { Log } from '../../src/store/log.ts';
import { count } from '../store/sampleEvents.ts';
import { countingCatalog, sumState } from '../support/counting.ts';
import { WatchedAdapter } from '../support/watchedAdapter.ts';

describe('the states of streams that are in use', () => {
  let adapter: WatchedAdapter;
  let log: Log;
  let states: StreamStates;

  beforeEach(async () => {
    adapter = new WatchedAdapter();
    log = await Log.open(adapter, countingCatalog);
    states = new StreamStates(log, { mostEvents: 40 });
  });

  async function write(streams: Readonly<Record<string, number>>): Promise<void> {
    for (const [stream, events] of Object.entries(streams))
      for (let n = 0; n < events; n++) await log.append(count(stream, 1));
  }

  async function use(...streams: readonly string[]): Promise<void> {
    for (const stream of streams) await states.get(sumState, stream, null);
  }

  it('are dropped when they are too many events, the one that was used longest ago first', async () => {
    await write({ a: 10, b: 10, c: 10, d: 10, e: 10 });
    await use('a', 'b', 'c', 'd', 'a', 'e');
    adapter.calls.length = 0;
    await use('a', 'c', 'd', 'e');
    assert.equal(adapter.countOf('loadSnapshot'), 0);
    await use('b');
    assert.equal(adapter.countOf('loadSnapshot'), 1);
  });

  it('stay, however long one of them has become', async () => {
    await write({ long: 100, b: 10, c: 10 });
    await use('b', 'c', 'long', 'b', 'long', 'c', 'long');
    assert.equal(adapter.countOf('loadSnapshot'), 3);
    await write({ long: 1, b: 1 });
    await use('b', 'c', 'long');
    assert.equal(adapter.countOf('loadSnapshot'), 3);
  });

  it('are not read of a stream that is taken for new, unless it turns out that it is not', async () => {
    await write({ old: 3 });
    for (const stream of ['new', 'old']) states.presumeNew(sumState, stream, null);
    await write({ new: 2, old: 1 });
    assert.equal((await states.get(sumState, 'new', null)).version, 2);
    assert.equal(adapter.countOf('readStream'), 0);
    assert.equal((await states.get(sumState, 'old', null)).version, 4);
  });

  it('are given out whole, also to who asks while they are read', async () => {
    await write({ a: 10 });
    const inTheWay = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    adapter.before = (name) => {
      if (name === 'readStream') begun.resolve();
      return name === 'readStream' ? inTheWay.promise : undefined;
    };
    // What is given out lives on: only in the moment in which it is, it shows whether it was the whole.
    const ask = async () => (await states.get(sumState, 'a', null)).version;
    const first = ask();
    await begun.promise;
    const others = [ask(), ask()];
    inTheWay.resolve();
    assert.deepEqual(await Promise.all([first, ...others]), [10, 10, 10]);
    assert.equal(adapter.countOf('readStream'), 1);
  });

  it('are read again by who waited for a read that failed', async () => {
    await write({ a: 10 });
    const inTheWay = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    adapter.before = (name) => {
      if (name !== 'readStream') return undefined;
      adapter.before = () => {};
      begun.resolve();
      return inTheWay.promise;
    };
    const first = states.get(sumState, 'a', null);
    await begun.promise;
    const second = states.get(sumState, 'a', null);
    inTheWay.reject(new Error('Cut off'));
    await assert.rejects(first);
    assert.equal((await second).version, 10);
  });

  it('are kept as a snapshot of one moment: once they rest, when they change while they are written', async () => {
    const names = () => Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`n${index}`, 0]));
    const many = {
      name: 'many',
      version: 1,
      get initial() {
        return { names: names() };
      },
      evolve(state: { readonly names: Record<string, number> }) {
        for (const name of ['n0', 'n199999']) state.names[name] = (state.names[name] ?? 0) + 1;
        return state;
      },
    };
    await write({ a: 500 });
    const saved = Promise.withResolvers<void>();
    adapter.before = (name) => {
      if (name === 'saveSnapshot') saved.resolve();
    };
    const { state } = await states.get(many, 'a', null);
    await write({ a: 1 });
    await saved.promise;
    const kept = await log.loadSnapshot({ owner: null, name: 'many:a' }, 1);
    assert.deepEqual(kept?.state, { state, version: 501 });
    assert.equal(adapter.countOf('saveSnapshot'), 1);
  });
});
