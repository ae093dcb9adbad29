import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type Activity, memoryActivity, takenApart } from '../../../src/projections/memory/activity.ts';
import { StoredEvent } from '../../../src/store/storedEvent.ts';

/** The event at this place of the stream, a millisecond after the one before. */
function stored(type: string, at: number): StoredEvent {
  const envelope = { userId: 'ann', correlationId: 'cause', causationId: null, subject: null, sealed: null };
  const place = { position: at + 1, stream: 'memory', version: at + 1, type, schema: 1, at };
  return new StoredEvent({ ...envelope, ...place, data: '{}' }, undefined);
}

function after(types: readonly string[]): Activity {
  let activity = memoryActivity.initial;
  for (const [index, type] of types.entries())
    activity = memoryActivity.evolve(activity, { type, at: index, data: {} });
  return activity;
}

test('the activity of a long log is short, even in what is old, and exact in what is new', () => {
  const { stretches } = after(Array.from({ length: 100_000 }, () => 'memory.conclusion.drawn'));
  assert.ok(stretches.length <= 512, `${stretches.length}`);
  assert.equal(
    stretches.reduce((sum, { count }) => sum + count, 0),
    100_000,
  );
  assert.ok(stretches.slice(-128).every(({ count, type }) => count === 1 && type !== null));
  assert.ok(Math.max(...stretches.map(({ count }) => count)) <= 1_000);
  for (const [index, { firstVersion }] of stretches.entries())
    assert.equal(firstVersion, (stretches[index - 1]?.lastVersion ?? 0) + 1);
});

test('what changes nothing that is shown is no activity', () => {
  const { version, stretches } = after(['memory.vectors.made', 'memory.conclusion.drawn']);
  assert.deepEqual([version, stretches.map(({ firstVersion }) => firstVersion)], [2, [2]]);
});

test('what was put together is taken apart again where somebody looks closely, without what is quiet', async () => {
  const types = Array.from({ length: 3_000 }, (_, index) =>
    index % 3 === 0 ? 'memory.vectors.made' : 'memory.conclusion.drawn',
  );
  const activity = after(types);
  const store: Parameters<typeof takenApart>[0] = {
    async *readStream(_stream, { fromVersion = 1 } = {}) {
      for (let from = fromVersion - 1; from < types.length; from += 100)
        yield types.slice(from, from + 100).map((type, index) => stored(type, from + index));
    },
  };
  const changes = await takenApart(store, 'memory', activity, { from: 30, to: 50 });
  const loud = Array.from({ length: 21 }, (_, index) => 30 + index).filter((at) => at % 3 !== 0);
  assert.deepEqual(
    changes.map(({ from, to, count, type }) => [from, to, count, type]),
    loud.map((at) => [at, at, 1, 'memory.conclusion.drawn']),
  );
  const many = { from: 0, to: 3_000 };
  assert.equal(
    activity.stretches.reduce((sum, { count }) => sum + count, 0),
    2_000,
  );
  assert.equal((await takenApart(store, 'memory', activity, many)).length, 2_000);
  const newest = await takenApart(store, 'memory', activity, { from: 2_990, to: 3_000 });
  assert.deepEqual(
    newest.map(({ from }) => from),
    [2_990, 2_992, 2_993, 2_995, 2_996, 2_998, 2_999],
  );
});
