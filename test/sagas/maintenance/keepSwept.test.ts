import assert from 'node:assert/strict';
import { map, of, Subject, takeUntil, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { keepSwept, type SweepDue, usersDue } from '../../../src/sagas/maintenance/keepSwept.ts';
import type { SweepRequest } from '../../../src/sagas/maintenance/sweeps.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('memory is to be swept', () => {
  const known = (byStream: Readonly<Record<string, { userId: string; since: number }>>, startedAt = 0) => ({
    ...{ byStream, startedAt, lastMaintenanceAt: null, totalSweeps: 0 },
  });
  const due = (...args: Parameters<typeof known>) => usersDue(known(...args), 'usual', 10 * HOUR, 11 * HOUR);

  it('of whom it was not since it was due', () => {
    const users = { a: { userId: 'ann', since: 9 * HOUR }, b: { userId: 'bea', since: 10 * HOUR } };
    assert.deepEqual(due(users, 10 * HOUR), ['ann']);
  });

  it('of the usual user too when nothing is remembered of them, but not before hark was first started', () => {
    assert.deepEqual(due({}), ['usual']);
    assert.deepEqual(due({}, 10 * HOUR), []);
  });

  it('of whom it was when the clock was ahead', () => {
    assert.deepEqual(due({ a: { userId: 'ann', since: 400 * DAY } }, 10 * HOUR), ['ann']);
  });
});

/*
 * In virtual time: a frame of the marbles is a millisecond. `n` is a night, and another letter a user whose sweep was
 * cut off.
 */
describe('a sweep falls due', () => {
  interface Scene {
    /** When which sweep is cut off. */
    readonly cutOff?: Readonly<Record<number, string>>;
    readonly until: number;
  }

  function play(expected: string, { cutOff = {}, until }: Scene) {
    const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
    time.run(({ expectObservable }) => {
      const told = new Subject<SweepRequest>();
      for (const [at, userId] of Object.entries(cutOff))
        time.schedule(() => told.next({ userId, by: 'request', correlationId: 'c' }), Number(at));
      const saga = keepSwept({
        sweeps: {
          sweep: () => new Promise<never>(() => {}),
          goOn: () => new Promise<never>(() => {}),
          onCutOff(listener) {
            const listening = told.subscribe(listener);
            return () => listening.unsubscribe();
          },
        },
        known: () => ({ byStream: {}, startedAt: 0, lastMaintenanceAt: null, totalSweeps: 0 }),
        schedule: { type: 'cron', expression: '0 3 * * *', timezone: 'UTC' },
        usualUser: 'usual',
        startedAt: 0,
        guard: { mayWork: () => new Promise<never>(() => {}) },
        onFailure: (_what, error) => assert.fail(String(error)),
      });
      const due = saga
        .on(time, () => of(1))
        .pipe(
          map((one: SweepDue) => (one.is === 'night' ? 'n' : one.request.userId)),
          takeUntil(timer(until, time)),
        );
      expectObservable(due).toBe(expected);
    });
  }

  it('a minute after the start, and at each moment of the schedule', () =>
    play('60s n 10739999ms n 86399999ms n |', { until: 3 * HOUR + DAY + 1 }));

  it('a minute after it was cut off, once for a user however often that is told', () =>
    play('60s n 9999ms a 29999ms |', {
      cutOff: { 10000: 'a', 10001: 'a' },
      until: 100_000,
    }));
});
