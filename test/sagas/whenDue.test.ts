import assert from 'node:assert/strict';
import { map, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { SettableClock, type Wake } from '../../src/clock.ts';
import { ClockScheduler } from '../../src/sagas/clockScheduler.ts';
import { whenDue } from '../../src/sagas/whenDue.ts';

/** In virtual time: a frame of the marbles is a millisecond. Each letter is noted for its moment, and told then. */
function play(noted: string, moments: Readonly<Record<string, number>>, expected: string) {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  time.run(({ cold, expectObservable }) => {
    const told = cold(noted).pipe(map((item) => ({ at: moments[item] ?? 0, item })));
    expectObservable(whenDue(told, time)).toBe(expected);
  });
}

describe('what is noted', () => {
  it('is told when its moment has come', () => play('a', { a: 3_600_000 }, '3600s a'));

  it('is told in the order of the moments, not of the notes', () =>
    play('abc', { a: 300, b: 100, c: 200 }, '100ms b 99ms c 99ms a'));

  it('is told at once when its moment is past', () => play('5ms a', { a: 2 }, '5ms a'));

  it('is told all that is due together', () => play('ab', { a: 50, b: 50 }, '50ms (ab)'));

  it('is waited for by one timer, and nothing when there is nothing', () => {
    const clock = new SettableClock(0);
    const planned: number[] = [];
    const wake: Wake = (at, callback) => {
      planned.push(at);
      return clock.wake(at, callback);
    };
    const told: string[] = [];
    const time = new ClockScheduler({ clock: clock.read, wake });
    const noted = of({ at: 10, item: 'a' }, { at: 10, item: 'b' });
    whenDue(noted, time).subscribe((item) => told.push(item));
    clock.advance(10);
    assert.deepEqual([told, planned], [['a', 'b'], [10]]);
  });

  it('is told each time that it is noted', () => play('a 9ms a', { a: 20 }, '20ms (aa)'));
});
