import assert from 'node:assert/strict';
import { it } from 'vitest';
import { startSweep } from '../../../../src/commands/memory/sweep/sweep.ts';
import { DAY_MS, Swept, usual } from '../../../sagas/maintenance/sweeping.ts';
import { given, NOW } from '../../../support/given.ts';

const begun = (sweepId: string, timestamp: number) => ({
  type: 'memory.maintenance.started',
  data: { sweepId, timestamp, by: 'request', thresholds: usual, conclusionCount: 0, episodeCount: 0 },
});
const input = { by: 'request', thresholds: usual } as const;

it('a sweep that was cut off goes on, and no other begins', () => {
  given(startSweep, begun('s', NOW - 14 * DAY_MS))
    .when(input)
    .givesNothing();
});

it('a sweep that nobody went on with for weeks has failed, and another begins', () => {
  given(startSweep, begun('s', NOW - 15 * DAY_MS))
    .when(input)
    .gives(
      { type: 'memory.maintenance.failed', data: { sweepId: 's', code: 'INTERRUPTED' } },
      begun('id-1', NOW),
    );
});

it('a sweep that began while the clock was ahead has failed, and another begins at the time that it is', () => {
  given(startSweep, begun('s', NOW + DAY_MS))
    .when(input)
    .gives(
      { type: 'memory.maintenance.failed', data: { sweepId: 's', code: 'INTERRUPTED' } },
      begun('id-1', NOW),
    );
});

it('sweeps after one that was made while the clock was ahead are measured by the time that it is', async () => {
  const swept = await Swept.of([]);
  swept.now += 400 * DAY_MS;
  await swept.sweep();
  swept.now -= 400 * DAY_MS;
  const times = [(await swept.sweep()).timestamp, (await swept.sweep()).timestamp];
  assert.deepEqual(times, [NOW, NOW + 1], 'each with a time of its own');
});

it('a sweep after one that was cut off long ago has its report', async () => {
  const swept = await Swept.of([begun('s', NOW)]);
  swept.now += 31 * DAY_MS;
  const { timestamp } = await swept.sweep();
  assert.equal(timestamp, swept.now);
  assert.equal((await swept.remembered()).reports.length, 1);
});
