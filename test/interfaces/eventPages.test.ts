import assert from 'node:assert/strict';
import { beforeAll, describe, it } from 'vitest';
import { eventCatalog } from '../../src/events/catalog.ts';
import { configChanged } from '../../src/events/settings.ts';
import { pageAfter, pageBefore } from '../../src/interfaces/eventPages.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';

const types = eventCatalog.map(({ type }) => type);
const OTHERS = 45_000;
const AT_ONCE = 5_000;

describe('a page of a log in which what is wanted lies far apart', () => {
  let store: Log;
  const append = (correlationId: string, count: number) =>
    store.append({
      stream: 'settings',
      events: Array.from({ length: count }, () => ({ type: configChanged.type, data: { changes: {} } })),
      expected: 'any',
      ...{ at: 1, userId: null, correlationId, causationId: null },
    });
  beforeAll(async () => {
    store = await Log.open(new MemoryAdapter(), eventCatalog);
    await append('wanted', 1);
    for (let made = 0; made < OTHERS; made += AT_ONCE) await append('others', AT_ONCE);
    await append('wanted', 1);
  });
  const wanted = { userId: 'ann', limit: 10, correlationId: 'wanted' };

  it('is looked for on and on, and ends at the end of the log', async () => {
    const found: number[] = [];
    let pages = 0;
    for (let after = 0; ; pages++) {
      const { events, next } = await pageAfter(store, types, after, wanted);
      found.push(...events.map(({ position }) => position));
      if (next === after) break;
      after = next;
    }
    assert.deepEqual(found, [1, OTHERS + 2]);
    assert.ok(pages >= 3);
  });

  it('is looked for back to the beginning, which its next names', async () => {
    const found: number[] = [];
    let pages = 0;
    for (let before = OTHERS + 3; before > 0; pages++) {
      const { events, next } = await pageBefore(store, types, before, wanted);
      found.push(...events.map(({ position }) => position));
      assert.ok(next < before);
      before = next;
    }
    assert.deepEqual(found, [OTHERS + 2, 1]);
    assert.ok(pages >= 3);
  });
});
