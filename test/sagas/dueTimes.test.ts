import assert from 'node:assert/strict';
import {
  EMPTY,
  interval,
  map,
  mergeMap,
  NEVER,
  type Observable,
  of,
  type SchedulerAction,
  take,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { SettableClock, type Wake } from '../../src/clock.ts';
import { HarkError } from '../../src/errors.ts';
import { aborted } from '../../src/sagas/aborted.ts';
import { ClockScheduler } from '../../src/sagas/clockScheduler.ts';
import { looks, workByTime } from '../../src/sagas/dueTimes.ts';
import { pull, type Source } from '../../src/sagas/pull.ts';
import type { RetryPolicy } from '../../src/sagas/retryPolicy.ts';
import type { TimedSaga } from '../../src/sagas/saga.ts';
import { playDue } from '../support/virtualTime.ts';

/*
 * One saga that time drives, in virtual time: a frame of the marbles is a millisecond. What is told is what falls due
 * and is begun, as a small letter, and what is answered, as a large one; the letter is the key.
 */

const HOUR = 3_600_000;

interface Scene {
  readonly on: TimedSaga<string>['on'];
  readonly react: (letter: string, signal: AbortSignal, time: TestScheduler) => Observable<unknown>;
  readonly stopAt: number;
  readonly retry?: RetryPolicy;
  readonly atOnce?: number;
}

function play(expected: string, { on, react, stopAt, ...limits }: Scene): readonly unknown[] {
  const { retry = { tries: 2, firstPauseMs: 100 }, atOnce = 32 } = limits;
  return playDue(expected, {
    saga: () => ({ name: 'sample', on, retry, atOnce, key: (letter) => letter, react: () => EMPTY }),
    tell: (letter) => letter,
    answer: (letter, { signal, time, tell }) =>
      react(letter, signal, time).pipe(tap({ complete: () => tell(letter.toUpperCase()) })),
    stopAt,
  });
}

const takes =
  (ms: number): Scene['react'] =>
  (_letter, _signal, time) =>
    timer(ms, time);

const everySecond = (letters: string) => looks((now) => ({ due: letters, again: now + 1_000 }));

const everyHour = (letters: string) => looks((now) => ({ due: letters, again: now + HOUR }));

describe('a saga that time drives', () => {
  it('answers at once what is due, and looks again when it says so', () => {
    play('a 9ms A 989ms a 9ms A 489ms |', { on: everySecond('a'), react: takes(10), stopAt: 1_500 });
  });

  it('looks again only when all of it is answered, however long that takes', () => {
    play('a 2999ms (Aa) 2996ms (A|)', { on: everySecond('a'), react: takes(3_000), stopAt: 4_500 });
  });

  it('answers what has one key one after the other, and the rest side by side', () => {
    play('(ab) 6ms (ABa) 5ms A 79ms |', { on: everySecond('aba'), react: takes(10), stopAt: 100 });
  });

  it('has no more than 32 answers under way', () => {
    let under = 0;
    let most = 0;
    const letters = Array.from({ length: 50 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const began: string[] = [];
    const react = (letter: string, time: TestScheduler) => {
      began.push(letter);
      most = Math.max(most, ++under);
      return timer(10, time).pipe(tap(() => under--));
    };
    const time = new TestScheduler(() => undefined);
    time.run(() => {
      const on = everyHour(letters);
      const saga = { name: 'sample', on, key: (letter: string) => letter };
      const stopping = new AbortController();
      time.schedule(() => stopping.abort(), 1_000);
      const given = { saga: { ...saga, react: (letter: string) => react(letter, time) } };
      workByTime({ ...given, onFailure: assert.fail, scheduler: time, time }, stopping.signal).subscribe();
    });
    assert.equal(most, 32);
    assert.equal(began.join(''), letters);
  });

  it('tells what drives it when there is room: for as many as may be under way, and as each of them is over', () => {
    const letters = [...'abcdefgh'];
    const asked: number[] = [];
    const time = new TestScheduler(() => undefined);
    time.run(() => {
      const source: Source<string> = {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            asked.push(time.now());
            const value = letters.shift();
            return value === undefined ? of({ done: true as const, value }) : of({ value });
          },
        }),
      };
      const saga: TimedSaga<string> = {
        name: 'sample',
        atOnce: 2,
        on: (_time, room) => pull(source, room),
        key: (letter) => letter,
        react: () => timer(10, time),
      };
      const stopping = new AbortController();
      time.schedule(() => stopping.abort(), 25);
      workByTime({ saga, onFailure: assert.fail, scheduler: time, time }, stopping.signal).subscribe();
    });
    assert.deepEqual(asked, [0, 0, 10, 10, 20, 20]);
  });

  it('tries again by its own policy, gives up, and finds at the next look what is still due', () => {
    const told = play('a 99ms a 899ms a 99ms a 399ms |', {
      on: everySecond('a'),
      react: () => throwError(() => new Error('no good')),
      stopAt: 1_500,
    });
    assert.equal(told.length, 4);
  });

  it('waits for a store that is away, and says nothing of it', () => {
    let tries = 0;
    const away = () => throwError(() => new HarkError('KVSTORE_UNAVAILABLE'));
    const react = () => (++tries < 4 ? away() : of(1));
    const told = play('a 999ms a 999ms a 999ms (aA) 6ms |', { on: everyHour('a'), react, stopAt: 3_010 });
    assert.deepEqual(told, []);
  });

  it('waits as long for what is away as if the store had not been away before', () => {
    const awaits = { codes: ['MODEL_UNAVAILABLE'], firstPauseMs: 5_000, longestPauseMs: 60_000 } as const;
    const away = (['KVSTORE_UNAVAILABLE', 'MODEL_UNAVAILABLE', 'MODEL_UNAVAILABLE'] as const).values();
    const react = () => {
      const { value } = away.next();
      return value ? throwError(() => new HarkError(value)) : of(1);
    };
    const retry = { tries: 2, firstPauseMs: 100, awaits };
    const told = play('a 999ms a 4999ms a 9999ms (aA) 3996ms |', {
      on: everyHour('a'),
      react,
      retry,
      stopAt: 20_000,
    });
    assert.equal(told.length, 1);
  });

  it('begins nothing more once it is to stop, though there is room for it', () => {
    play('a 9ms (A|)', { on: everyHour('abc'), react: takes(10), atOnce: 1, stopAt: 5 });
  });

  it('looks again ten seconds after a look that failed, which is told', () => {
    const views = [new Error('not there'), 'a'];
    const on = looks((now) => {
      const due = views.shift() ?? '';
      if (due instanceof Error) throw due;
      return { due, again: now + HOUR };
    });
    const told = play('10s (aA) 4996ms |', { on, react: () => of(1), stopAt: 15_000 });
    assert.equal(told.length, 1);
  });

  it('looks again ten seconds after the store was away, and says nothing of it', () => {
    const views = [new HarkError('KVSTORE_UNAVAILABLE'), 'a'];
    const on = looks((now) => {
      const due = views.shift() ?? '';
      if (due instanceof Error) throw due;
      return { due, again: now + HOUR };
    });
    const told = play('10s (aA) 4996ms |', { on, react: () => of(1), stopAt: 15_000 });
    assert.deepEqual(told, []);
  });

  it('does itself what one process is to do, where there is no store to say which', () => {
    const did: string[] = [];
    const time = new TestScheduler(() => undefined);
    time.run(() => {
      const saga: TimedSaga<string> = {
        name: 'sample',
        on: everyHour('a'),
        key: (letter) => letter,
        react: (letter, { onceAmongProcesses }) =>
          onceAmongProcesses(
            'work',
            () => {
              did.push(letter);
              return of(1);
            },
            NEVER,
          ),
      };
      const stopping = new AbortController();
      time.schedule(() => stopping.abort(), 10);
      workByTime({ saga, onFailure: assert.fail, scheduler: time, time }, stopping.signal).subscribe();
    });
    assert.deepEqual(did, ['a']);
  });

  it('is told to stop in what is under way, begins nothing more, and is over when that has ended', () => {
    const react: Scene['react'] = (_letter, signal, time) =>
      aborted(signal).pipe(mergeMap(() => timer(20, time)));
    play('a 119ms (A|)', { on: everySecond('aa'), react, stopAt: 100 });
  });

  it('may be driven by whatever comes in time, which begins anew when it has ended', () => {
    const on: Scene['on'] = (time) =>
      timer(5, 20, time).pipe(
        map((n) => 'abc'.charAt(n)),
        take(3),
      );
    const told = play('5ms (aA) 16ms (bB) 16ms (cC) 1ms (aA) 6ms |', { on, react: () => of(1), stopAt: 60 });
    assert.deepEqual(told, []);
  });
});

describe("the scheduler of the service's clock", () => {
  it('lets time pass as the clock does', async () => {
    const clock = new SettableClock(1_000);
    const rung: number[] = [];
    const ticking = interval(100, new ClockScheduler({ clock: clock.read, wake: clock.wake })).subscribe(() =>
      rung.push(clock.read()),
    );
    for (const ms of [99, 1, 99, 1, 500]) clock.advance(ms);
    assert.deepEqual(rung, [1_100, 1_200, 1_700]);
    ticking.unsubscribe();
    clock.advance(10_000);
    assert.equal(rung.length, 3);
  });

  it('wakes nobody who has gone, though they would have gone on', () => {
    const clock = new SettableClock(1_000);
    let planned = 0;
    const wake: Wake = (at, callback) => {
      planned++;
      return clock.wake(at, callback);
    };
    interval(100, new ClockScheduler({ clock: clock.read, wake }))
      .pipe(take(2))
      .subscribe();
    for (const _ of [1, 2, 3, 4]) clock.advance(100);
    assert.equal(planned, 2);
  });

  it('wakes at the moment that was planned last, which is now where no delay is said', () => {
    const clock = new SettableClock(1_000);
    const rung: number[] = [];
    const time = new ClockScheduler({ clock: clock.read, wake: clock.wake });
    time.schedule(() => rung.push(clock.read()), 100);
    time.schedule(function (this: SchedulerAction<unknown>, step) {
      rung.push(clock.read());
      if (step === 'once more') this.schedule('last');
      if (step !== undefined) return;
      this.schedule('once more', 50);
      this.schedule('once more', 70);
    });
    for (const ms of [0, 50, 20, 0, 30]) clock.advance(ms);
    assert.deepEqual(rung, [1_000, 1_070, 1_070, 1_100]);
  });

  it('wakes who waits when the clock is put back', () => {
    const clock = new SettableClock(HOUR);
    const rung: number[] = [];
    timer(HOUR, new ClockScheduler({ clock: clock.read, wake: clock.wake })).subscribe(() =>
      rung.push(clock.read()),
    );
    clock.advance(-1_000);
    assert.deepEqual(rung, [HOUR - 1_000]);
  });
});
