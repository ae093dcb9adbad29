import assert from 'node:assert/strict';
import { finalize, map, merge, type ObservableInput, of, Subject, tap, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, it } from 'vitest';
import { abandonWork } from '../../src/commands/system/abandonWork.ts';
import { HarkError } from '../../src/errors.ts';
import { aborted } from '../../src/sagas/aborted.ts';
import { modelsAway, type RetryPolicy } from '../../src/sagas/retryPolicy.ts';
import { type Reaction, TryAgainLater } from '../../src/sagas/saga.ts';
import { type SagaLog, work } from '../../src/sagas/work.ts';
import type { EventBatch, Position } from '../../src/store/port.ts';
import type { StoredEvent } from '../../src/store/storedEvent.ts';
import { counted } from '../store/sampleEvents.ts';
import { virtualEvent } from '../support/virtualStore.ts';

/*
 * One saga at work, in virtual time: a frame of the marbles is a millisecond. Each letter of a log is an event in the
 * stream of that name, and streams are keys. What is told is what the saga begins, as a small letter, and what it has
 * answered, as a large one.
 */

const HOUR = 3_600_000;

interface Scene {
  /** The events, by the moment at which they are appended. */
  readonly log: Readonly<Record<number, string>>;
  readonly react: (letter: string, reaction: Reaction, time: TestScheduler) => ObservableInput<unknown>;
  readonly retry?: RetryPolicy;
  /** When it is told to stop. */
  readonly stopAt?: number;
}

/** Plays it until nothing is left to happen; the marbles are what is seen of it, where that matters. */
function play(
  expected: string | undefined,
  { log, react, retry = { tries: 3, firstPauseMs: 100 }, stopAt }: Scene,
) {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  const told: unknown[] = [];
  const moves: string[] = [];
  const ran: unknown[] = [];
  const begun: string[] = [];
  time.run(({ expectObservable }) => {
    const seen = new Subject<string>();
    const stopping = new AbortController();
    if (stopAt !== undefined) time.schedule(() => stopping.abort(), stopAt);
    const runner = {
      run: (...[command, input]: unknown[]) => {
        ran.push([command, input]);
        return new Promise<never>(() => {});
      },
    };
    const saga = {
      name: 'sample',
      on: [counted.type],
      retry,
      key: ({ stream }: StoredEvent) => stream,
      react({ stream }: StoredEvent, reaction: Reaction) {
        begun.push(stream);
        seen.next(stream);
        return merge(react(stream, reaction, time)).pipe(
          tap({ complete: () => seen.next(stream.toUpperCase()) }),
        );
      },
    };
    const onFailure = (_saga: string, error: unknown) => told.push(error);
    const options = { saga, log: logOf(log, moves, time), runner, onFailure, scheduler: time };
    const played = merge(seen, work(options, stopping.signal).pipe(finalize(() => seen.complete())));
    if (expected === undefined) played.subscribe();
    else expectObservable(played).toBe(expected);
  });
  return { told, moves, ran, begun };
}

function logOf(log: Scene['log'], moves: string[], time: TestScheduler): SagaLog {
  let position = 0;
  const batches = Object.entries(log).map(([at, letters]): [number, EventBatch] => {
    const events = Array.from(letters, (letter) => virtualEvent(letter, ++position));
    return [Number(at), { events, position }];
  });
  return {
    readCursor: () => of({ position: 0, token: 1 }),
    moveCursor(_name, from, to: Position) {
      moves.push(`${to} after ${time.now()} ms`);
      return of({ position: to, token: from.token + 1 });
    },
    head: () => of(0),
    follow: (_range, signal) => ({
      [Symbol.asyncIterator]: () => ({
        next() {
          const [at, value] = batches.shift() ?? [];
          if (at === undefined || value === undefined)
            return aborted(signal).pipe(map(() => ({ done: true as const, value: undefined })));
          return timer(Math.max(0, at - time.now()), time).pipe(map(() => ({ value })));
        },
      }),
    }),
  };
}

const takes =
  (ms: number): Scene['react'] =>
  (_letter, _reaction, time) =>
    timer(ms, time);

describe('a saga at work', () => {
  it('answers the events of a key one after the other', () => {
    play('a 9ms (Aa) 6ms (Aa) 6ms A', { log: { 0: 'aa', 5: 'a' }, react: takes(10) });
  });

  it('answers those of different keys side by side', () => {
    play('a--b 6ms A--B', { log: { 0: 'a', 3: 'b' }, react: takes(10) });
  });

  it('tries again after pauses that grow, and says each time why', () => {
    const fails = (_letter: string, { failures }: Reaction) =>
      failures < 2 ? throwError(() => new Error('not yet')) : of(1);
    const { told } = play('a 99ms a 199ms (aA)', { log: { 0: 'a' }, react: fails });
    assert.equal(told.length, 2);
  });

  it('gives up after its last try, and records that', () => {
    const fails = () => throwError(() => new HarkError('BAD_REQUEST'));
    const { ran } = play('a 99ms a 199ms a', { log: { 0: 'a' }, react: fails });
    assert.deepEqual(ran, [[abandonWork, { saga: 'sample', position: 1, attempts: 3, code: 'BAD_REQUEST' }]]);
  });

  it('waits for models that are away for half a minute and more, tells of it once, and gives nothing up', () => {
    let tries = 0;
    const { told } = play('a 29999ms a 59999ms a 119999ms (aA)', {
      log: { 0: 'a' },
      retry: { tries: 1, firstPauseMs: 100, awaits: modelsAway },
      react: () => (++tries < 4 ? throwError(() => new HarkError('MODEL_UNAVAILABLE')) : of(1)),
    });
    assert.equal(told.length, 1);
  });

  it('tries again when it is told to, as often as it takes, and calls that no failure', () => {
    let tries = 0;
    const { told } = play('a 59999ms a 59999ms a 59999ms (aA)', {
      log: { 0: 'a' },
      react: (_letter, { failures }) => {
        assert.equal(failures, 0);
        return ++tries < 4 ? throwError(() => new TryAgainLater(60_000)) : of(1);
      },
    });
    assert.deepEqual(told, []);
  });

  it('has no more than 32 answers under way, and what waits to be tried again takes no place', () => {
    let under = 0;
    let most = 0;
    const waiting = 'abcdefghij';
    const react: Scene['react'] = (letter, { failures }, time) => {
      if (waiting.includes(letter) && failures === 0) return throwError(() => new Error('later'));
      most = Math.max(most, ++under);
      return timer(10, time).pipe(tap(() => under--));
    };
    const others = Array.from({ length: 50 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join('');
    const { begun, told } = play(undefined, { log: { 0: waiting + others }, react });
    assert.equal(most, 32);
    assert.equal(begun.length, 70);
    assert.equal(told.length, 10);
  });

  it('answers a thousand events of a key that it can answer at once', () => {
    const { begun } = play(undefined, { log: { 0: 'a'.repeat(1_500) }, react: () => of(1) });
    assert.equal(begun.length, 1_500);
  });

  describe('its cursor', () => {
    it('moves past what is answered, once for what comes closely together', () => {
      const { moves } = play(undefined, { log: { 0: 'abc' }, react: () => of(1) });
      assert.deepEqual(moves, ['3 after 100 ms']);
    });

    it('stands before the oldest that is not answered', () => {
      const react: Scene['react'] = (letter, _reaction, time) => timer(letter === 'b' ? 500 : 1, time);
      const { moves } = play(undefined, { log: { 0: 'abc' }, react });
      assert.deepEqual(moves, ['1 after 101 ms', '3 after 600 ms']);
    });
  });

  describe('that is told to stop', () => {
    it('begins nothing more, waits for what is under way, notes how far it came, and is over', () => {
      const { moves } = play('a 9ms (Aa) 6ms (A|)', { log: { 0: 'aaa' }, react: takes(10), stopAt: 15 });
      assert.deepEqual(moves, ['1 after 20 ms']);
    });

    it('does not wait for what is to be tried again', () => {
      const fails = () => throwError(() => new TryAgainLater(HOUR));
      play('a 14ms |', { log: { 0: 'aaa' }, react: fails, stopAt: 15 });
    });

    it('tells what is under way, which may end because of it and is then not answered', () => {
      const { moves } = play('a 14ms (A|)', {
        log: { 0: 'a' },
        react: (_letter, { signal }) => aborted(signal),
        stopAt: 15,
      });
      assert.deepEqual(moves, []);
    });
  });
});
