import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { SettableClock } from '../../../../src/clock.ts';
import { isEvent } from '../../../../src/events/definition.ts';
import type { IndexDocument } from '../../../../src/projections/memory/index/documents.ts';
import { IndexThread } from '../../../../src/projections/memory/index/indexThread.ts';
import { MemoryIndex } from '../../../../src/projections/memory/index/memoryIndex.ts';
import { frameOf } from '../../../../src/projections/memory/index/pieces.ts';
import type { SavingOptions } from '../../../../src/projections/memory/index/savedIndex.ts';
import { InProcessVectors } from '../../../../src/projections/memory/index/vectors/inProcessVectors.ts';
import { Log } from '../../../../src/store/log.ts';
import { MemoryAdapter } from '../../../../src/store/memory/adapter.ts';
import type { OwnedKey, SavedBytes } from '../../../../src/store/port.ts';
import type { StoredEvent } from '../../../../src/store/storedEvent.ts';
import { count, forget, note, noted, sampleCatalog } from '../../../store/sampleEvents.ts';
import { NOON } from './documents.ts';

const REST = 30_000;
const PAUSE = 600_000;
const NAMES = Array.from({ length: 2_500 }, (_, index) => `n${index}`);
const animals = ['fox', 'hen', 'cow', 'owl', 'cat'];
const anns = (number: number): OwnedKey => ({ owner: 'ann', name: `index of words ${number}` });

describe('a large index', () => {
  let adapter: MemoryAdapter;
  let log: Log;
  let thread: IndexThread;
  let clock: SettableClock;
  let indexes: { stop(): void }[];
  /** From which positions on it was read. */
  let reads: number[];
  /** Called for each piece that is saved, before it is. */
  let onPiece: (key: OwnedKey, piece: SavedBytes) => unknown;

  beforeEach(async () => {
    adapter = new MemoryAdapter();
    log = await Log.open(adapter, sampleCatalog);
    thread = new IndexThread();
    clock = new SettableClock(NOON);
    indexes = [];
    reads = [];
    onPiece = () => {};
    await Promise.all(NAMES.map((name) => log.append(note('ann', name, textOf(name)))));
  });
  afterEach(() => {
    for (const index of indexes) index.stop();
    return thread.close();
  });

  const pagesAfter = (after: number) => {
    reads.push(after);
    return log.readAll({ after, userId: 'ann' });
  };
  const saving = (): SavingOptions => ({
    store: {
      saveBytes: async (key, piece) => {
        await onPiece(key, piece);
        return log.saveBytes(key, piece);
      },
      loadBytes: (key, version) => log.loadBytes(key, version),
      onAppended: (listener) => log.onAppended(listener),
      onReplaced: (listener) => log.onReplaced(listener),
      get delivered() {
        return log.delivered;
      },
    },
    settled: async () => {},
  });
  const open = () => {
    const index = new MemoryIndex(thread, {
      clock: clock.read,
      wake: clock.wake,
      saving: saving(),
      async *documents(_userId, after) {
        for await (const { events } of pagesAfter(after)) yield events.flatMap(documentOf);
      },
    });
    indexes.push(index);
    return index;
  };
  const find = (index: MemoryIndex, query: string) =>
    index.search('ann', { query, limit: 30, passages: 30, now: NOON });
  /** Resolves when all pieces of an index have been saved. */
  const saved = () =>
    new Promise<void>((resolve) => {
      onPiece = (_key, { state }) => {
        const frame = frameOf(state);
        if (frame && frame.number === frame.of - 1) setImmediate(resolve);
      };
    });
  const savedOnce = async () => {
    const index = open();
    const before = await find(index, 'red fox 17');
    const isSaved = saved();
    clock.advance(REST);
    await isSaved;
    reads.length = 0;
    return { index, before };
  };

  it('is taken in again by who comes back, who reads only what came since', async () => {
    const { before } = await savedOnce();
    assert.ok(before.episodes.length > 0);
    const { delivered } = log;
    await log.append(note('ann', 'new', 'a red fox, number 17, in the snow'));
    const again = open();
    const now = await find(again, 'red fox 17');
    assert.deepEqual(reads, [delivered]);
    assert.ok(now.episodes.some(({ episodeId }) => episodeId === 'new'));
    const fresh = open();
    for (const number of Array.from({ length: 20 }, (_, at) => at))
      await adapter.saveSnapshot(anns(number), { version: 0, position: 0, state: new Uint8Array() }, null);
    for (const query of ['red fox 17', 'hen', 'who saw a cow in 1200?', 'snow'])
      assert.deepEqual(await find(again, query), await find(fresh, query), query);
    assert.deepEqual(reads, [delivered, 0]);
  });

  it('goes on to follow what is added and removed', async () => {
    await savedOnce();
    const again = open();
    await find(again, 'fox');
    await again.add('ann', [{ ...documentFor('another'), text: 'a green parrot' }]);
    await again.remove('ann', ['n5']);
    const idsOf = async (query: string) =>
      (await find(again, query)).episodes.map(({ episodeId }) => episodeId);
    assert.deepEqual(await idsOf('parrot'), ['another']);
    assert.ok(!(await idsOf(textOf('n5'))).includes('n5'));
  });

  it('is gone with whatever its user forgets, and is written again once that has rested', async () => {
    const { index } = await savedOnce();
    await log.append(forget('ann', 'n3'));
    await index.remove('ann', ['n3']);
    assert.equal(await log.loadBytes(anns(0), 1), undefined);
    clock.advance(REST);
    assert.equal(await log.loadBytes(anns(0), 1), undefined);
    const isSaved = saved();
    clock.advance(PAUSE);
    await isSaved;
    const again = open();
    const { episodes } = await find(again, textOf('n3'));
    assert.equal(reads.at(-1), log.delivered);
    assert.ok(episodes.length > 0 && !episodes.some(({ episodeId }) => episodeId === 'n3'));
  });

  it('is not kept when something is forgotten while it is written', async () => {
    const index = open();
    await find(index, 'fox');
    const forgotten = new Promise<void>((resolve) => {
      onPiece = async (_key, { state }) => {
        if (frameOf(state)?.number !== 1) return;
        await log.append(forget('ann', 'n3'));
        setImmediate(resolve);
      };
    });
    clock.advance(REST);
    await forgotten;
    for (const number of [0, 1, 2, 3]) assert.equal(await log.loadBytes(anns(number), 1), undefined);
  });

  it('is not written while it changes, and anew once it rests', async () => {
    const index = open();
    await find(index, 'fox');
    const changed = new Promise<void>((resolve) => {
      onPiece = async (_key, { state }) => {
        if (frameOf(state)?.number !== 0) return;
        await index.add('ann', [{ ...documentFor('late'), text: 'a late parrot' }]);
        setImmediate(resolve);
      };
    });
    clock.advance(REST);
    await changed;
    const isSaved = saved();
    clock.advance(PAUSE);
    await isSaved;
    const { episodes } = await find(open(), 'parrot');
    assert.deepEqual(
      episodes.map(({ episodeId }) => episodeId),
      ['late'],
    );
  });

  const spoilt: Readonly<Record<string, (pieces: readonly SavedBytes[]) => Promise<unknown>>> = {
    'of another version': async ([first]) => first && log.saveBytes(anns(0), { ...first, version: 99 }),
    'damaged on the disk': async () => {
      const raw = await adapter.loadSnapshot(anns(1));
      assert.ok(raw);
      const state = Uint8Array.from(raw.state, (byte, at) => (at === 500 ? byte ^ 1 : byte));
      await adapter.saveSnapshot(anns(1), { ...raw, state }, null);
    },
    'half of another save': async ([, second]) => {
      assert.ok(second);
      const state = second.state.slice();
      new Uint32Array(state.buffer, 0, 1)[0] = 12_345;
      await log.saveBytes(anns(1), { ...second, state });
    },
    'of which the end is missing': async (pieces) =>
      adapter.saveSnapshot(
        anns(pieces.length - 1),
        { version: 0, position: 0, state: new Uint8Array() },
        null,
      ),
    'no index at all': async ([first]) =>
      first && log.saveBytes(anns(0), { ...first, state: new Uint8Array([1, 2, 3]) }),
    'one that cannot be read': async ([, second]) => {
      assert.ok(second);
      const state = second.state.slice();
      state.fill(255, 12);
      await log.saveBytes(anns(1), { ...second, state });
    },
  };

  for (const [how, spoil] of Object.entries(spoilt)) {
    it(`is drawn from the log where what was kept is ${how}`, async () => {
      const { before } = await savedOnce();
      const pieces: SavedBytes[] = [];
      for (let number = 0; ; number++) {
        const piece = await log.loadBytes(anns(number), 1);
        if (!piece) break;
        pieces.push(piece);
      }
      assert.ok(pieces.length > 3);
      await spoil(pieces);
      assert.deepEqual(await find(open(), 'red fox 17'), before);
      assert.deepEqual(reads, [0]);
    });
  }

  it('is not written where it is small, nor again before it has grown', async () => {
    let pieces = 0;
    const { index } = await savedOnce();
    onPiece = () => pieces++;
    await index.add('ann', [documentFor('one')]);
    await log.append(count('other', 1));
    clock.advance(PAUSE);
    await find(index, 'fox');
    assert.equal(pieces, 0);
  });

  it('may be of vectors', async () => {
    const openVectors = () => {
      const index = new InProcessVectors(thread, {
        clock: clock.read,
        wake: clock.wake,
        saving: saving(),
        async *vectors(_userId, after) {
          for await (const { events } of pagesAfter(after)) {
            const entries = events.flatMap(documentOf).map(({ id }) => ({ id, vector: vectorOf(id) }));
            yield { models: [{ of: 'passages', model: 'm', entries } as const] };
          }
        },
      });
      indexes.push(index);
      return index;
    };
    const query = { of: 'passages', model: 'm', vector: vectorOf('n7'), limit: 50, threshold: 0.1 } as const;
    const first = openVectors();
    const before = await first.search('ann', query);
    const isSaved = saved();
    clock.advance(REST);
    await isSaved;
    const again = openVectors();
    assert.deepEqual(await again.search('ann', query), before);
    assert.deepEqual(reads, [0, log.delivered]);
    await again.remove('ann', ['n7']);
    assert.ok(!(await again.search('ann', query)).some(({ id }) => id === 'n7'));
  });
});

function textOf(name: string): string {
  const number = Number(name.slice(1));
  return `Ann: a ${['red', 'blue', 'old'][number % 3]} ${animals[number % 5]} and the number ${number}`;
}

function documentFor(id: string): IndexDocument {
  return { id, episodeId: id, kind: 'episode', text: textOf(id), at: NOON, importance: 0.5 };
}

function documentOf(event: StoredEvent): readonly IndexDocument[] {
  if (!isEvent(event, noted) || event.erased) return [];
  return [{ ...documentFor(event.data.note), text: event.data.text ?? '' }];
}

function vectorOf(id: string): Float32Array {
  const seed = Number(id.slice(1));
  return Float32Array.from({ length: 400 }, (_, at) => Math.sin((seed + 1) * (at + 1)));
}
