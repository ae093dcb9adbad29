import assert from 'node:assert/strict';
import { of, Subject, takeUntil, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import type { OpenExecution } from '../../../src/projections/workflows/openExecutions.ts';
import { looksAfter, wakeExecutions } from '../../../src/sagas/workflows/wake.ts';

const waits: OpenExecution = {
  userId: 'ann',
  executionId: 'e',
  correlationId: 'c',
  generation: 0,
  startedAt: 0,
  instanceId: 'here',
  due: { pause: 500, call: 200 },
};
const elsewhere = { ...waits, instanceId: 'there' };

describe('an execution is looked at', () => {
  const after = (type: string, stream: string, userId: string | null = null) =>
    looksAfter({ type, stream, userId }, () => ({ waits, elsewhere }), 'here');

  it('when what it waits for is due, each of it, and at once when it is of this process', () => {
    const both = [
      { at: 500, item: 'waits' },
      { at: 200, item: 'waits' },
    ];
    for (const type of ['workflow.wait.begun', 'workflow.step.failed'])
      assert.deepEqual(after(type, 'waits'), both);
    for (const type of ['workflow.execution.started', 'workflow.execution.resumed'])
      assert.deepEqual(after(type, 'waits'), [{ at: 0, item: 'waits' }, ...both]);
  });

  it('at once when what its user had is erased', () => {
    assert.deepEqual(after('memory.erased', 'memory-ann', 'ann'), [{ at: 0, item: 'waits' }]);
    assert.deepEqual(after('memory.erased', 'memory-bob', 'bob'), []);
  });

  it('by nobody else than the process that has it', () => {
    for (const type of ['workflow.wait.begun', 'workflow.execution.resumed'])
      assert.deepEqual(after(type, 'elsewhere'), []);
  });

  it('because of no other event, and not when it is over', () => {
    assert.deepEqual(after('workflow.step.completed', 'waits'), []);
    assert.deepEqual(after('workflow.wait.begun', 'over'), []);
  });
});

/* In virtual time: a frame of the marbles is a millisecond, and a letter an execution that is looked at. */
describe('an execution that waits', () => {
  function play(expected: string, faults: Readonly<Record<number, string>> = {}) {
    const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
    time.run(({ expectObservable }) => {
      const faulty = new Subject<string>();
      for (const [at, stream] of Object.entries(faults)) time.schedule(() => faulty.next(stream), Number(at));
      const saga = wakeExecutions({
        context: () => ({
          store: { onAppended: () => () => {} },
          open: () => ({ a: waits, b: elsewhere }),
          instanceId: 'here',
        }),
        executions: {
          goOn: () => {},
          onFault(listener) {
            const listening = faulty.subscribe(listener);
            return () => listening.unsubscribe();
          },
        },
      });
      const due = saga.on(time, () => of(1)).pipe(takeUntil(timer(100_000, time)));
      expectObservable(due).toBe(expected);
    });
  }

  it('is looked at when the process begins to, and at each of its moments', () =>
    play('a 199ms a 299ms a 99499ms |'));

  it('is looked at a minute after a fault of ours', () =>
    play('a 199ms a 299ms a 59599ms a 39899ms |', { 100: 'a' }));
});
