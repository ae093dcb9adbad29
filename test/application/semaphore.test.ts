import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'vitest';
import { Semaphore } from '../../src/application/semaphore.ts';

describe('a semaphore', () => {
  it('lets so many begin, and the next in line when one is over', () => {
    const semaphore = new Semaphore(2);
    const begun: string[] = [];
    const [leaveFirst] = ['a', 'b', 'c', 'd'].map((name) => semaphore.enter(() => begun.push(name)));
    assert.deepEqual(begun, ['a', 'b']);
    leaveFirst?.();
    leaveFirst?.();
    assert.deepEqual(begun, ['a', 'b', 'c']);
  });

  it('lets nobody begin who has left the line', () => {
    const semaphore = new Semaphore(1);
    const begun: string[] = [];
    const [leaveFirst, leaveSecond] = ['a', 'b', 'c'].map((name) => semaphore.enter(() => begun.push(name)));
    leaveSecond?.();
    assert.deepEqual(begun, ['a'], 'who never began leaves no place');
    leaveFirst?.();
    assert.deepEqual(begun, ['a', 'c']);
  });

  it('takes any number in line that are over as soon as they begin', () => {
    const semaphore = new Semaphore(1);
    const leaveFirst = semaphore.enter(() => {});
    let begun = 0;
    const leaves: (() => void)[] = [];
    for (let index = 0; index < 100_000; index++)
      leaves[index] = semaphore.enter(() => {
        begun++;
        leaves[index]?.();
      });
    leaveFirst();
    assert.equal(begun, 100_000);
  });

  it('begins no work before there is room for it', async () => {
    const semaphore = new Semaphore(1);
    const leave = semaphore.enter(() => {});
    let isBegun = false;
    const done = semaphore.take(async () => {
      isBegun = true;
    });
    await nextTurn();
    assert.equal(isBegun, false);
    leave();
    await done;
    assert.equal(isBegun, true);
  });

  it('gives what came of the work, or its error, and then lets the next begin', async () => {
    const semaphore = new Semaphore(1);
    const failing = semaphore.take(() => Promise.reject(new RangeError('no')));
    const after = semaphore.take(async () => 'done');
    await assert.rejects(failing, RangeError);
    assert.equal(await after, 'done');
  });
});
