import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { isWanted } from '../../../src/sagas/maintenance/sweepMemory.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = 1_000 * DAY_MS;

describe('a report is what was asked for', () => {
  const before = { sweepId: 'before' };

  it('when it came since', () => {
    const last = { sweepId: 'since', timestamp: NOW };
    assert.ok(isWanted(last, {}, before, NOW));
    assert.ok(isWanted(last, {}, undefined, NOW));
    assert.ok(isWanted(last, { since: NOW + 1 }, before, NOW));
  });

  it('when its sweep began at the time that will do, or later', () => {
    const last = { sweepId: 'before', timestamp: NOW };
    assert.ok(isWanted(last, { since: NOW }, before, NOW));
    assert.ok(!isWanted(last, { since: NOW + 1 }, before, NOW));
    assert.ok(!isWanted(last, {}, before, NOW));
  });

  it('but not when that time was read from a clock that was ahead', () => {
    const last = { sweepId: 'before', timestamp: NOW + 400 * DAY_MS };
    assert.ok(!isWanted(last, { since: NOW }, before, NOW));
  });
});
