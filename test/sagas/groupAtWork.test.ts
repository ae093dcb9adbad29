import assert from 'node:assert/strict';
import { EMPTY, finalize, merge, Observable, Subject, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { HarkError } from '../../src/errors.ts';
import { groupAtWork } from '../../src/sagas/groupAtWork.ts';
import type { Saga } from '../../src/sagas/saga.ts';

/*
 * A group of sagas in virtual time: a frame of the marbles is a millisecond. A small letter is the saga of that name
 * that begins, a large one has ended, 10 ms after it was told to.
 */

interface Scene {
  /** The names that are told of. */
  readonly changes: string;
  /** Whether there is one of this name at this moment. */
  readonly isThere?: (name: string, now: number) => boolean;
  /** Instead of going on until it is told to stop. */
  readonly work?: (name: string) => Observable<never> | undefined;
  readonly lostAt?: number;
}

function play(expected: string, { changes, isThere = () => true, work = () => undefined, lostAt }: Scene) {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  const told: unknown[] = [];
  time.run(({ cold, expectObservable }) => {
    const seen = new Subject<string>();
    const lease = new AbortController();
    if (lostAt !== undefined) time.schedule(() => lease.abort(), lostAt);
    const group = {
      name: 'sample',
      changes: cold(changes),
      saga: (name: string): Saga | undefined =>
        isThere(name, time.now()) ? { name, on: [], key: () => name, react: () => EMPTY } : undefined,
    };
    const untilStopped = (signal: AbortSignal) =>
      new Observable<never>((subscriber) => {
        const stop = () => timer(10, time).subscribe({ complete: () => subscriber.complete() });
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop);
      });
    const begin = ({ name }: Saga, signal: AbortSignal) => {
      seen.next(name);
      return (work(name) ?? untilStopped(signal)).pipe(finalize(() => seen.next(name.toUpperCase())));
    };
    const onFailure = (_name: string, error: unknown) => told.push(error);
    const options = { begin, onFailure, scheduler: time, time };
    const played = groupAtWork(group, options, lease.signal).pipe(finalize(() => seen.complete()));
    expectObservable(merge(seen, played)).toBe(expected);
  });
  return told;
}

describe('a group of sagas', () => {
  it('has each begin that is there, beside the others, and end when the lease is lost', () => {
    play('(ab) 46ms (AB|)', { changes: '(ab)', lostAt: 40 });
  });

  it('has one that changes begin anew, once all that it had begun has ended', () => {
    play('(ab) 16ms (Aa) 26ms (BA|)', { changes: '(ab) 6ms a', lostAt: 40 });
  });

  it('has one that is gone end, and not begin again', () => {
    play('a 19ms A 29ms |', { changes: 'a 9ms a', isThere: (_name, now) => now < 5, lostAt: 50 });
  });

  it('looks no more for one that is gone, until it is told of it', () => {
    play('a 19ms A 6979ms a 985ms (A|)', {
      changes: 'a 9ms a 6989ms a',
      isThere: (_name, now) => now < 5 || now >= 3_000,
      lostAt: 7_976,
    });
  });

  it('begins only what it was told of last', () => {
    play('a 19ms (Aa) 36ms (A|)', { changes: 'a 9ms (aaa)', lostAt: 50 });
  });

  it('tells of a fault in one, and begins it again two seconds later; the others go on', () => {
    const fault = new RangeError('no such cursor');
    const faults = [fault];
    const told = play('(aAb) 1995ms a 3009ms (AB|)', {
      changes: '(ab)',
      work: (name) => (name === 'a' && faults.length > 0 ? throwError(() => faults.pop()) : undefined),
      lostAt: 5_000,
    });
    assert.deepEqual(told, [fault]);
  });

  it('says nothing of a log that is away', () => {
    const told = play('(aA) 1996ms (aA) 986ms |', {
      changes: 'a',
      work: () => throwError(() => new HarkError('KVSTORE_UNAVAILABLE')),
      lostAt: 2_990,
    });
    assert.deepEqual(told, []);
  });
});
