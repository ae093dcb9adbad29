import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { planOf } from '../../../src/application/workflows/plan.ts';
import { workflowDefinition } from '../../../src/events/workflowDefinition.ts';
import type { StepRecord } from '../../../src/projections/workflows/execution.ts';

const NOW = 1_000;
const record: StepRecord = {
  ...{ state: 'completed', attempts: 1, failures: 0, startedAt: 0, endedAt: 0, until: null },
  ...{ output: null, error: null, isPublished: false },
};
const completed = record;
const running: StepRecord = { ...record, state: 'running', endedAt: null };
const failed = (error: string): StepRecord => ({ ...record, state: 'failed', error });
const waiting = (until: number): StepRecord => ({ ...record, state: 'waiting', endedAt: null, until });

const call = (id: string) => ({ id, type: 'ACTION', tool: 'tool' });
const sideBySide = { id: 'both', type: 'PARALLEL', branches: [[call('a')], [call('b')]] };

function plan(steps: readonly object[], records: Readonly<Record<string, StepRecord>>) {
  const definition = workflowDefinition().parse({ name: 'w', steps });
  const { ready, ...rest } = planOf({ steps: records }, definition, { now: NOW, inFlight: new Set() });
  return { ready: ready.map(({ id }) => id), ...rest };
}

const open = (...ready: readonly string[]) => ({ ready, isOver: false, failure: null });
const failedIn = (stepId: string, error: string) => ({
  ready: [],
  isOver: true,
  failure: { stepId, error },
});

describe('what goes on side by side', () => {
  test('comes to its end before the failure of one counts', () => {
    const records = { both: running, a: failed('No') };
    assert.deepEqual(plan([sideBySide, call('after')], records), open('b'));
    assert.deepEqual(plan([sideBySide, call('after')], { ...records, b: waiting(NOW + 1) }), open());
  });

  test('fails as the one that is written first', () => {
    const records = { both: running, a: failed('first'), b: failed('second') };
    assert.deepEqual(plan([sideBySide], records), failedIn('a', 'first'));
  });

  test('is passed over when it may fail, and what fails later is what the execution fails with', () => {
    const steps = [{ ...sideBySide, onError: 'continue' }, call('after')];
    const records = { both: running, a: failed('No'), b: completed };
    assert.deepEqual(plan(steps, records), open('after'));
    assert.deepEqual(plan(steps, { ...records, after: failed('late') }), failedIn('after', 'late'));
  });

  test('is not begun before its condition was asked', () => {
    const steps = [{ ...sideBySide, if: 'input.n > 1' }];
    assert.deepEqual(plan(steps, {}), open('both'));
    assert.deepEqual(plan(steps, { both: running }), open('a', 'b'));
  });
});

test('a step that waits is due in the moment that it waits for, and not before', () => {
  assert.deepEqual(plan([call('a')], { a: waiting(NOW + 1) }), open());
  assert.deepEqual(plan([call('a')], { a: waiting(NOW) }), open('a'));
});
