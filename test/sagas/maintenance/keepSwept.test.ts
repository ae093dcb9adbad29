import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { from, lastValueFrom, map, of, Subject, takeUntil, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import type { SweepRequest } from '../../../src/application/maintenance/sweepRequests.ts';
import { SettableClock } from '../../../src/clock.ts';
import { NO_PIPELINE } from '../../../src/commands/memory/upkeep.ts';
import { HarkError, isHarkError } from '../../../src/errors.ts';
import type { CompletedSweep } from '../../../src/events/maintenance.ts';
import { ClockScheduler } from '../../../src/sagas/clockScheduler.ts';
import { keepSwept, type SweepDue, usersDue } from '../../../src/sagas/maintenance/keepSwept.ts';
import { TryAgainLater } from '../../../src/sagas/saga.ts';
import { timedReaction } from '../../support/sagas.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const report: CompletedSweep = {
  ...{
    sweepId: 's',
    timestamp: 4 * HOUR,
    durationMs: 1,
    conclusionsExamined: 0,
    episodesChecked: 0,
    firstVersion: 1,
  },
  summary: {
    ...{ contradictions: 0, stale: 0, orphans: 0, redundant: 0, pruned: 0, decayed: 0, danglingSources: 0 },
    contradictionPipeline: NO_PIPELINE,
  },
};

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

  it('of nobody while it is not known since when hark is there', () =>
    assert.deepEqual(usersDue({ ...known({}), startedAt: null }, 'usual', 10 * HOUR, 11 * HOUR), []));

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
    /** When it is due; at three each night, where nothing is said. */
    readonly cron?: string;
  }

  function play(expected: string, { cutOff = {}, until, cron = '0 3 * * *' }: Scene) {
    const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
    time.run(({ expectObservable }) => {
      const told = new Subject<SweepRequest>();
      for (const [at, userId] of Object.entries(cutOff))
        time.schedule(() => told.next({ userId, by: 'request', correlationId: 'c' }), Number(at));
      const saga = keepSwept({
        requests: {
          ask: () => new Promise<never>(() => {}),
          onCutOff(listener) {
            const listening = told.subscribe(listener);
            return () => listening.unsubscribe();
          },
        },
        isBegun: () => new Promise<never>(() => {}),
        known: () => ({ byStream: {}, startedAt: 0, lastMaintenanceAt: null, totalSweeps: 0 }),
        schedule: { type: 'cron', expression: cron, timezone: 'UTC' },
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

  it('only after the start, where the schedule is never due', () =>
    play('60s n 39999ms |', { cron: '0 3 30 2 *', until: 100_000 }));

  it('a minute after it was cut off, once for a user however often that is told', () =>
    play('60s n 9999ms a 29999ms |', {
      cutOff: { 10000: 'a', 10001: 'a' },
      until: 100_000,
    }));
});

describe('what is due to be swept', () => {
  const never = new AbortController().signal;
  const away = () => new HarkError('KVSTORE_UNAVAILABLE');

  interface World {
    /** What a sweep of this user, or going on with it, comes to. */
    readonly swept?: (userId: string) => Promise<unknown>;
    /** Whether the machine is free, each time that is asked; it is, where nothing is said. */
    readonly free?: readonly boolean[];
    /** Whether a sweep of the user goes on; it does, where nothing is said. */
    readonly isBegun?: boolean;
    /** When it is due; at three each night, where nothing is said. */
    readonly cron?: string;
    /** When Ann was last swept, by the clock of then. */
    readonly annSince?: number;
  }

  /** Ann, Ben and the usual user were last swept at the beginning; it is the fourth hour, and was due in the third. */
  function world({
    swept = () => Promise.resolve(),
    free = [],
    isBegun = true,
    cron = '0 3 * * *',
    annSince = 0,
  }: World = {}) {
    const looks: unknown[] = [];
    const asked: unknown[] = [];
    const failures: unknown[] = [];
    const answers = [...free];
    const listeners = new Set<(request: SweepRequest) => void>();
    const saga = keepSwept({
      requests: {
        async ask(request) {
          asked.push(request);
          await swept(request.userId);
          return report;
        },
        onCutOff(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      isBegun: async () => isBegun,
      known: () => ({
        byStream: { a: { userId: 'ann', since: annSince }, b: { userId: 'ben', since: 0 } },
        ...{ startedAt: 0, lastMaintenanceAt: null, totalSweeps: 0 },
      }),
      schedule: { type: 'cron', expression: cron, timezone: 'UTC' },
      usualUser: 'usual',
      startedAt: 0,
      guard: {
        async mayWork(kinds) {
          looks.push(kinds);
          return (answers.shift() ?? true) ? { safe: true } : { safe: false, reason: 'load' };
        },
      },
      onFailure: (_what, error) => failures.push(error),
    });
    const react = (due: SweepDue, signal = never) =>
      lastValueFrom(from(saga.react(due, { ...timedReaction(), signal })), { defaultValue: undefined });
    return {
      saga,
      asked,
      failures,
      looks,
      night: (signal?: AbortSignal, now = 4 * HOUR) => react({ is: 'night', now }, signal),
      react,
      tell: (request: SweepRequest) => {
        for (const listener of listeners) listener(request);
      },
    };
  }

  const wanted = (userId: string) => ({
    ...{ userId, by: 'schedule', since: 3 * HOUR },
    correlationId: `maintenance-${3 * HOUR}`,
  });

  it('in a night is the memory of one user after the other', async () => {
    let under = 0;
    const { night, asked, failures } = world({
      swept: async () => {
        assert.equal(++under, 1);
        await nextTurn();
        under--;
      },
    });
    await night();
    assert.deepEqual(asked, ['usual', 'ann', 'ben'].map(wanted));
    assert.deepEqual(failures, []);
  });

  it('does not wait for a night, nor for another user, where it was cut off', () => {
    const { saga } = world();
    const cutOff = (userId: string): SweepDue => ({
      is: 'cut off',
      request: { userId, by: 'request', correlationId: 'c' },
    });
    const nights = [4 * HOUR, 28 * HOUR].map((now) => saga.key({ is: 'night', now }));
    const users = ['ann', 'ben'].map((userId) => saga.key(cutOff(userId)));
    assert.equal(new Set([...nights, ...users]).size, 3);
  });

  it('is tried once: what fails is due again the next night, or when it is told that it was cut off', () =>
    assert.equal(world().saga.retry?.tries, 1));

  it('is asked for in every process, since each has users of its own who ask', () => {
    assert.equal(world().saga.everywhere, true);
  });

  it('in the very moment in which it is due is swept in it', async () => {
    const { night, asked } = world();
    await night(undefined, 3 * HOUR);
    assert.deepEqual(asked, ['usual', 'ann', 'ben'].map(wanted));
  });

  it('once a year is made up for however much of the year has gone by, and not after it', async () => {
    const yearly = '0 3 1 2 *';
    const due = 31 * DAY + 3 * HOUR;
    for (const missedFor of [0, HOUR, 200 * DAY, 364 * DAY]) {
      const { night, asked } = world({ cron: yearly });
      await night(undefined, due + missedFor);
      assert.deepEqual(asked[0], {
        ...{ userId: 'usual', by: 'schedule', since: due },
        correlationId: `maintenance-${due}`,
      });
    }
    const leap = world({ cron: '0 3 29 2 *', annSince: 9_000 * DAY });
    // Of 1972.
    await leap.night(undefined, (2 * 365 + 31 + 28 + 410) * DAY);
    assert.deepEqual(leap.asked, []);
    await leap.night(undefined, (2 * 365 + 31 + 28 + 390) * DAY);
    assert.equal(leap.asked.length, 3);
  });

  it('is left where it is when the process stops', async () => {
    const stopping = new AbortController();
    const reached = Promise.withResolvers<void>();
    const { night, react, asked } = world({
      swept: () => {
        if (asked.length === 2) reached.resolve();
        return new Promise(() => {});
      },
    });
    const request = { userId: 'cleo', by: 'request', correlationId: 'c' } as const;
    const ends = [night(stopping.signal), react({ is: 'cut off', request }, stopping.signal)];
    await reached.promise;
    stopping.abort();
    await Promise.all(ends);
    assert.equal(asked.length, 2);
  });

  it('is left to the next night from the moment on in which somebody needs the machine', async () => {
    const { night, asked } = world({ free: [true, false] });
    await night();
    assert.deepEqual(asked, [wanted('usual')]);
  });

  it('is the memory of the others too, where one cannot be swept, which is told', async () => {
    const broken = new Error('no good');
    const { night, asked, failures } = world({
      swept: async (userId) => {
        if (userId === 'ann') throw broken;
      },
    });
    await night();
    assert.equal(asked.length, 3);
    assert.deepEqual(failures, [broken]);
  });

  it('is looked for again ten minutes later, where the log is away', async () => {
    const { night, asked, failures } = world({ swept: () => Promise.reject(away()) });
    await assert.rejects(night(), (error) => error instanceof TryAgainLater && error.afterMs === 600_000);
    assert.equal(asked.length, 1);
    assert.deepEqual(failures, []);
  });

  it('is nothing more once the process stops, and what broke off because of it is not told', async () => {
    const stopping = new AbortController();
    const { night, asked, failures, looks } = world({
      swept: async () => {
        stopping.abort();
        throw new Error('broken off');
      },
    });
    await night(stopping.signal);
    assert.deepEqual(asked, [wanted('usual')]);
    assert.deepEqual(looks, [['maintenance']]);
    assert.deepEqual(failures, []);
  });

  describe('where it was cut off', () => {
    const cutOff: SweepDue = {
      is: 'cut off',
      request: { userId: 'cleo', by: 'request', correlationId: 'c' },
    };

    /** What is due in the minute after this, while the saga listens. */
    async function dueAfter({ saga, react }: ReturnType<typeof world>): Promise<readonly unknown[]> {
      const clock = new SettableClock(10 * HOUR);
      const due: unknown[] = [];
      const listening = saga
        .on(new ClockScheduler({ clock: clock.read, wake: clock.wake }), () => of(1))
        .subscribe((one) => (one.is === 'cut off' ? due.push(one) : undefined));
      try {
        await react(cutOff);
        clock.advance(59_999);
        assert.deepEqual(due, []);
        clock.advance(1);
        return due;
      } finally {
        listening.unsubscribe();
      }
    }

    it('is gone on with', async () => {
      const all = world();
      assert.deepEqual(await dueAfter(all), []);
      assert.deepEqual(all.asked, [cutOff.request]);
    });

    it('is due a minute after each time that it was cut off, once it was gone on with', async () => {
      const { saga, react, tell } = world();
      const clock = new SettableClock(10 * HOUR);
      const due: SweepDue[] = [];
      const listening = saga
        .on(new ClockScheduler({ clock: clock.read, wake: clock.wake }), () => of(1))
        .subscribe((one) => (one.is === 'cut off' ? due.push(one) : undefined));
      for (const times of [1, 2]) {
        tell(cutOff.request);
        clock.advance(60_000);
        assert.deepEqual(due, Array(times).fill(cutOff));
        await react(cutOff);
      }
      listening.unsubscribe();
    });

    it('is left where another process has ended it meanwhile', async () => {
      const all = world({ isBegun: false });
      assert.deepEqual(await dueAfter(all), []);
      assert.deepEqual(all.asked, []);
    });

    it('waits another minute while somebody needs the machine', async () => {
      const all = world({ free: [false] });
      assert.deepEqual(await dueAfter(all), [cutOff]);
      assert.deepEqual(all.asked, []);
    });

    it('waits another minute while the log is still away', async () => {
      const all = world({ swept: () => Promise.reject(away()) });
      assert.deepEqual(await dueAfter(all), [cutOff]);
    });

    it('is given up where it fails otherwise', async () => {
      const { react } = world({ swept: () => Promise.reject(new HarkError('CONFLICT')) });
      await assert.rejects(react(cutOff), (error) => isHarkError(error, 'CONFLICT'));
    });
  });
});
