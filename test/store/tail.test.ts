import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { StoredEvent } from '../../src/store/storedEvent.ts';
import { Tail } from '../../src/store/tail.ts';
import { range } from '../support/range.ts';

const MiB = 2 ** 20;

/** An event whose data takes up so many bytes. */
function event(position: number, bytes = 10): StoredEvent {
  return new StoredEvent(
    {
      position,
      stream: 's',
      version: position,
      type: 't',
      schema: 1,
      at: 0,
      userId: null,
      correlationId: 'c',
      causationId: null,
      subject: null,
      data: `"${'x'.repeat(bytes)}"`,
      sealed: null,
    },
    undefined,
  );
}
const positions = (events: readonly StoredEvent[] | undefined) => events?.map(({ position }) => position);

describe('the newest events', () => {
  async function tailOf(bytes: readonly number[]): Promise<Tail> {
    const tail = new Tail(0, () => assert.fail('it reads what it was given'));
    for (const [index, size] of bytes.entries()) await tail.offer([event(index + 1, size)]);
    return tail;
  }
  /** How many of them are kept. */
  function keptOf(tail: Tail): number {
    return range(0, tail.position).filter((after) => tail.since(after) !== undefined).length;
  }

  it('are kept by the thousand when they are small', async () => {
    const kept = keptOf(await tailOf(new Array<number>(5_000).fill(10)));
    assert.ok(kept >= 1_000 && kept <= 2_100, `${kept}`);
  });

  it('are kept up to a few MiB when they are large', async () => {
    const kept = keptOf(await tailOf(new Array<number>(100).fill(MiB)));
    assert.ok(kept >= 4 && kept <= 20, `${kept}`);
  });

  it('are all kept of one large delivery only as far as there is room', async () => {
    const tail = new Tail(0, () => assert.fail('it reads what it was given'));
    await tail.offer(range(1, 101).map((position) => event(position, MiB)));
    assert.equal(tail.position, 100);
    assert.ok(keptOf(tail) <= 20);
  });

  it('are handed out in portions, none left out', async () => {
    for (const [size, most] of [
      [10, 256],
      [MiB / 4, 5],
      [2 * MiB, 1],
    ] as const) {
      const tail = await tailOf(new Array<number>(6).fill(size).concat(new Array<number>(6).fill(size)));
      let after = 12 - keptOf(tail);
      const seen: number[] = [];
      while (after < 12) {
        const portion = tail.since(after);
        assert.ok(portion && portion.length > 0 && portion.length <= most, `${portion?.length} of ${size}`);
        seen.push(...(positions(portion) ?? []));
        after = seen.at(-1) ?? 12;
      }
      assert.deepEqual(seen, range(13 - seen.length, 13));
    }
    const small = await tailOf(new Array<number>(1_000).fill(10));
    assert.deepEqual(positions(small.since(0)), range(1, 257));
    assert.deepEqual(positions(small.since(990)), range(991, 1_001));
    assert.deepEqual(small.since(1_000), []);
  });

  it('are told from one position to another, as far as they are here and kept', async () => {
    const small = await tailOf(new Array<number>(1_000).fill(10));
    assert.deepEqual(positions(small.between(10, 700)), range(11, 701));
    assert.deepEqual(small.between(700, 10), []);
    assert.equal(small.between(10, 1_001), undefined);
    const large = await tailOf(new Array<number>(100).fill(MiB));
    assert.equal(large.between(0, 100), undefined);
    assert.deepEqual(positions(large.between(98, 100)), [99, 100]);
  });

  it('wake who waits for what it wants, when much has gone by, and when it is told to stop', async () => {
    const tail = await tailOf([]);
    const stopping = new AbortController();
    const watch = tail.watch(stopping.signal, ({ position }) => position === 3);
    const wakes: number[] = [];
    const following = (async () => {
      for (let times = 0; times < 3; times++) {
        await watch.next();
        wakes.push(tail.position);
      }
    })();
    const pass = async (until: number) => {
      while (tail.position < until) {
        await tail.offer([event(tail.position + 1)]);
        await nextTurn();
      }
    };
    await pass(3);
    assert.deepEqual(wakes, [3]);
    await pass(300);
    assert.deepEqual(wakes, [3, 259]);
    stopping.abort();
    await following;
    watch.end();
  });
});
