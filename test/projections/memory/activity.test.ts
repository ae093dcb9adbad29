import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type Activity, memoryActivity } from '../../../src/projections/memory/activity.ts';

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
