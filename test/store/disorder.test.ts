import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { RawRange } from '../../src/store/adapter.ts';
import { findDisorder } from '../../src/store/disorder.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { range } from '../support/range.ts';
import { count, sampleCatalog } from './sampleEvents.ts';

/** A log of two streams in turn, from which the events at these positions were lost. */
async function disorder(events: number, ...lost: readonly number[]): Promise<readonly string[]> {
  class Losing extends MemoryAdapter {
    override async readAll(asked: RawRange) {
      const found = await super.readAll(asked);
      return found.filter(({ position }) => !lost.includes(position));
    }
  }
  const adapter = new Losing();
  const log = await Log.open(adapter, sampleCatalog);
  for (const n of range(0, events)) await log.append(count(n % 2 === 0 ? 'a' : 'b', n));
  return findDisorder(adapter, events);
}

describe('a log', () => {
  it('is in order where nothing is lost, over many pages', async () => {
    assert.deepEqual(await disorder(2_100), []);
  });

  it('that lost events is told with their places, and with the streams that they are missing from', async () => {
    assert.deepEqual(await disorder(10, 3, 4), [
      'positions 3 to 4 are missing',
      'a goes on with version 3 at 5, not 2',
      'b goes on with version 3 at 6, not 2',
    ]);
  });

  it('that lost its end is told so', async () => {
    assert.deepEqual(await disorder(4, 3, 4), ['positions 3 to 4 are missing']);
  });

  it('that lost much is told with ten faults', async () => {
    const lost = range(0, 60).filter((n) => n % 2 === 1);
    assert.equal((await disorder(60, ...lost)).length, 10);
  });
});
