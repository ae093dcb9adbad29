import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { Pace } from '../../../src/application/maintenance/pace.ts';
import { DAY_MS, Swept } from '../../sagas/maintenance/sweeping.ts';
import { NOW } from '../../support/given.ts';

/** Each look at the clock finds it some milliseconds later; rests take no time, and are noted. */
function talk(turnsOfChat: number) {
  let now = 0;
  const rests: number[] = [];
  const rest = async (ms: number) => rests.push(ms);
  const pace = new Pace({ isChatting: () => rests.length < turnsOfChat, now: () => (now += 2), rest });
  return { pace, rests };
}

async function staleMemory() {
  const at = NOW - 100 * DAY_MS;
  const times = { createdAt: at, updatedAt: at, lastEvidenceAt: at };
  const standing = { ...times, stale: false, status: 'active', supersededBy: null, contradicts: [] };
  const drawn = { type: 'inferred', confidence: 0.9, sources: [], turnIds: [], about: null, by: 'offline' };
  // Numbered so that `byNumber` finds none of them to contradict another.
  const events = Array.from({ length: 600 }, (_, index) => ({
    type: 'memory.conclusion.drawn',
    data: { conclusionId: `c${5 * index + 1}`, text: `The user has read book ${index}`, ...drawn, standing },
  }));
  const swept = await Swept.of(events);
  const sizes: number[] = [];
  swept.store.onAppended((events) => sizes.push(events.length));
  return { swept, sizes };
}

describe('a sweep beside a turn of chat', () => {
  test('makes few changes at once with rests between them, and goes on quickly when it is over', async () => {
    const { swept, sizes } = await staleMemory();
    const { pace, rests } = talk(600);
    await swept.sweep(undefined, pace);
    const small = sizes.slice(
      0,
      sizes.findIndex((size) => size > 25),
    );
    assert.ok(small.length >= 2, `${sizes}`);
    assert.ok(sizes.length < 40 && Math.max(...sizes) === 75, `${sizes}`);
    assert.equal(rests.length, 600);
    assert.ok(rests.every((ms) => ms >= 10));
  });

  test('comes to the same end, and does so however much is talked', async () => {
    const [beside, alone] = [await staleMemory(), await staleMemory()];
    const { pace, rests } = talk(Number.POSITIVE_INFINITY);
    const { durationMs: _, ...report } = await beside.swept.sweep(undefined, pace);
    const { durationMs: __, ...expected } = await alone.swept.sweep();
    assert.deepEqual(report, expected);
    const { conclusions } = await beside.swept.memory();
    assert.deepEqual(conclusions, (await alone.swept.memory()).conclusions);
    assert.ok(rests.reduce((sum, ms) => sum + ms) <= 15_000);
  });
});
