import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { isModelAway, modelsAway, verdictOn } from '../../src/sagas/retryPolicy.ts';

const fault = new Error('no good');
const after = (failures: number, waits = 0) => ({ failures, waits });

describe('what becomes of an event that could not be answered', () => {
  it('of a saga that says nothing else: six tries in fifteen seconds and a half, and then no more', () => {
    const pauses = [500, 1_000, 2_000, 4_000, 8_000];
    for (const [failures, pauseMs] of pauses.entries())
      assert.deepEqual(verdictOn(fault, undefined, after(failures)), { is: 'failure', pauseMs });
    assert.deepEqual(verdictOn(fault, undefined, after(5)), { is: 'given-up' });
  });

  it('no pause is longer than the longest', () => {
    const policy = { tries: 9, firstPauseMs: 100, longestPauseMs: 300 };
    const pauses = [0, 1, 2, 3].map((failures) => verdictOn(fault, policy, after(failures)));
    assert.deepEqual(
      pauses,
      [100, 200, 300, 300].map((pauseMs) => ({ is: 'failure', pauseMs })),
    );
  });

  it('what no further try would change is given up at once, and nothing else', () => {
    const policy = { tries: 9, firstPauseMs: 100, hopeless: ['BAD_REQUEST'] } as const;
    assert.deepEqual(verdictOn(new HarkError('BAD_REQUEST'), policy, after(0)), { is: 'given-up' });
    assert.equal(verdictOn(new HarkError('CONFLICT'), policy, after(0)).is, 'failure');
    assert.equal(verdictOn(fault, policy, after(0)).is, 'failure');
  });

  it('models that are away are waited for, ten minutes at most between two tries, for ever', () => {
    const policy = { tries: 1, firstPauseMs: 100, awaits: modelsAway };
    const waits = [0, 1, 4, 5, 50].map((n) => verdictOn(new HarkError('MODEL_TIMEOUT'), policy, after(0, n)));
    assert.deepEqual(
      waits,
      [30_000, 60_000, 480_000, 600_000, 600_000].map((pauseMs) => ({ is: 'wait', pauseMs })),
    );
    assert.deepEqual(verdictOn(fault, policy, after(0)), { is: 'given-up' });
  });

  it('a store that is away is looked for each second, and nothing is given up for it', () => {
    const away = new HarkError('KVSTORE_UNAVAILABLE');
    const policy = { tries: 1, firstPauseMs: 100, hopeless: ['KVSTORE_UNAVAILABLE'] } as const;
    assert.deepEqual(verdictOn(away, policy, after(99, 99)), { is: 'wait', pauseMs: 1_000 });
  });
});

describe('no model could be asked', () => {
  it('where none is there, none answers in time, or none is paid for', () => {
    for (const code of ['MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'BILLING_EXHAUSTED'] as const)
      assert.equal(isModelAway(new HarkError(code)), true);
    assert.equal(isModelAway(new HarkError('MODEL_UNAVAILABLE', { cause: { kind: 'network' } })), true);
  });

  it('but not where one answered what is of no use, nor where something else is wrong', () => {
    for (const cause of ['malformed', { kind: 'malformed' }])
      assert.equal(isModelAway(new HarkError('MODEL_UNAVAILABLE', { cause })), false);
    assert.equal(isModelAway(new HarkError('BAD_REQUEST')), false);
    assert.equal(isModelAway(Object.assign(new Error('other'), { code: 'MODEL_UNAVAILABLE' })), false);
  });
});
