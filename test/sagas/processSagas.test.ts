import assert from 'node:assert/strict';
import { Subject } from 'rxjs';
import { describe, it } from 'vitest';
import { ProcessSagas } from '../../src/sagas/runtime.ts';
import type { TimedReaction } from '../../src/sagas/saga.ts';
import { standstill, Witness } from '../support/sagas.ts';

describe('what is a matter of each process', () => {
  const started = (react: (n: number, reaction: TimedReaction) => Promise<unknown>) => {
    const due = new Subject<number>();
    const told: unknown[] = [];
    const saga = { name: 'sample', on: () => due, key: String, react, retry: { tries: 1, firstPauseMs: 0 } };
    const onFailure = (name: string, error: unknown) => told.push([name, String(error)]);
    const sagas = new ProcessSagas({ sagas: [saga], onFailure, time: standstill() });
    sagas.start();
    return { due, told, sagas };
  };

  it('is done with no store, as it falls due, and what fails is told of', async () => {
    const seen = new Witness<number>();
    const { due, told, sagas } = started(async (n) => {
      seen.add(n);
      if (n === 1) throw new Error('no good');
    });
    due.next(1);
    due.next(2);
    await seen.count(2);
    await sagas.stop();
    assert.deepEqual(seen.items, [1, 2]);
    assert.deepEqual(told, [['sample', 'Error: no good']]);
    assert.equal(due.observed, false);
  });

  it('is told to stop, and waited for', async () => {
    const ends = new Witness<string>();
    const begun = new Witness<number>();
    const { due, sagas } = started(async (n, { signal }) => {
      begun.add(n);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      ends.add('work');
    });
    due.next(1);
    await begun.count(1);
    await sagas.stop().then(() => ends.add('stop'));
    assert.deepEqual(ends.items, ['work', 'stop']);
  });
});
