import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { type Mark, Progress } from '../../src/sagas/progress.ts';

const begun = (position: number): Mark => ({ kind: 'begun', position });
const answered = (position: number): Mark => ({ kind: 'answered', position });
const read = (position: number): Mark => ({ kind: 'read', position });

describe('the progress of a saga', () => {
  const after = (...marks: readonly Mark[]) => {
    const progress = marks.reduce((known, mark) => known.take(mark), new Progress(10));
    return { done: progress.done, open: progress.openCount };
  };

  it('stands where it began until something was read', () => {
    assert.deepEqual(after(), { done: 10, open: 0 });
    assert.deepEqual(after(begun(15)), { done: 10, open: 1 });
  });

  it('stands at what was read when nothing is open, and never goes back', () => {
    assert.deepEqual(after(read(20)), { done: 20, open: 0 });
    assert.deepEqual(after(read(20), read(12)), { done: 20, open: 0 });
  });

  it('stands before the oldest event that is open, in whichever order others are answered', () => {
    const marks = [begun(12), begun(15), begun(18), read(20)];
    assert.deepEqual(after(...marks), { done: 11, open: 3 });
    assert.deepEqual(after(...marks, answered(15)), { done: 11, open: 2 });
    assert.deepEqual(after(...marks, answered(15), answered(12)), { done: 17, open: 1 });
    assert.deepEqual(after(...marks, answered(12), answered(18), answered(15)), { done: 20, open: 0 });
  });

  it('does not pass what was read, however far an event is that has begun', () => {
    assert.deepEqual(after(begun(12), answered(12)), { done: 10, open: 0 });
    assert.deepEqual(after(read(13), begun(30)), { done: 13, open: 1 });
  });
});
