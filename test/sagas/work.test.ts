import assert from 'node:assert/strict';
import {
  catchError,
  EMPTY,
  finalize,
  map,
  merge,
  type ObservableInput,
  of,
  Subject,
  tap,
  throwError,
  timer,
} from 'rxjs';
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
import { range } from '../support/range.ts';
import { virtualEvent } from '../support/virtualStore.ts';

/*
 * One saga at work, in virtual time: a frame of the marbles is a millisecond. Each letter of a log is an event in the
 * stream of that name, and streams are keys. What is told is what the saga begins, as a small letter, and what it has
 * answered, as a large one.
 */

const HOUR = 3_600_000;

interface Scene {
  /** The events, by the moment at which they are appended; a number is how far the log is, with nothing for the saga. */
  readonly log: Readonly<Record<number, string | number | Error>>;
  readonly react: (letter: string, reaction: Reaction, time: TestScheduler) => ObservableInput<unknown>;
  readonly retry?: RetryPolicy;
  /** When it is told to stop. */
  readonly stopAt?: number;
  /** Instead of a log in which the saga is at its beginning. */
  readonly cursors?: Partial<Pick<SagaLog, 'readCursor' | 'moveCursor'>>;
}

/** Plays it until nothing is left to happen; the marbles are what is seen of it, where that matters. */
function play(
  expected: string | undefined,
  { log, react, retry = { tries: 3, firstPauseMs: 100 }, stopAt, cursors }: Scene,
) {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  const told: unknown[] = [];
  const moves: string[] = [];
  const reads: number[] = [];
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
      on: [counted],
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
    const read = { ...logOf(log, { moves, reads }, time), ...cursors };
    const options = { saga, log: read, runner, onFailure, scheduler: time };
    const working = work(options, stopping.signal).pipe(
      catchError((error) => {
        told.push(error);
        return EMPTY;
      }),
      finalize(() => seen.complete()),
    );
    const played = merge(seen, working);
    if (expected === undefined) played.subscribe();
    else expectObservable(played).toBe(expected);
  });
  return { told, moves, reads, ran, begun };
}

/** Notes when the cursor is moved, and when the next is asked for. */
function logOf(
  log: Scene['log'],
  { moves, reads }: { readonly moves: string[]; readonly reads: number[] },
  time: TestScheduler,
): SagaLog {
  let position = 0;
  const batches = Object.entries(log).map(([at, letters]): [number, EventBatch | Error] => {
    if (letters instanceof Error) return [Number(at), letters];
    if (typeof letters === 'number') return [Number(at), { events: [], position: letters }];
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
          reads.push(time.now());
          const [at, value] = batches.shift() ?? [];
          if (at === undefined || value === undefined)
            return aborted(signal).pipe(map(() => ({ done: true as const, value: undefined })));
          return timer(Math.max(0, at - time.now()), time).pipe(
            map(() => {
              if (value instanceof Error) throw value;
              return { value };
            }),
          );
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

  it('tells of models that are away at once, also where they are back at the next try', () => {
    let tries = 0;
    const { told } = play('a 29999ms (aA)', {
      log: { 0: 'a' },
      retry: { tries: 1, firstPauseMs: 100, awaits: modelsAway },
      react: () => (++tries < 2 ? throwError(() => new HarkError('MODEL_TIMEOUT')) : of(1)),
    });
    assert.equal(told.length, 1);
  });

  it('reads no further while 1,024 events wait, and goes on as soon as one of them is answered', () => {
    const log = Object.fromEntries(range(0, 10).map((ms) => [ms, 'a'.repeat(128)]));
    const { reads } = play(undefined, { log, react: takes(1_000), stopAt: 1_500 });
    const beforeTheEnd = reads.filter((ms) => ms < 1_500);
    assert.deepEqual(beforeTheEnd, [0, 0, 1, 2, 3, 4, 5, 6, 1_000]);
  });

  it('reads on only when so many are answered that there is room, not with each', () => {
    const log = Object.fromEntries(range(0, 10).map((ms) => [ms, 'a'.repeat(130)]));
    const { reads } = play(undefined, { log, react: takes(1_000), stopAt: 18_000 });
    assert.equal(
      reads.find((ms) => ms > 10),
      17_000,
    );
  });

  it('is over, and has not failed, when it cannot move its cursor', () => {
    const { told } = play('(aA) 96ms |', {
      log: { 0: 'a' },
      react: () => of(1),
      cursors: { moveCursor: () => throwError(() => new HarkError('KVSTORE_UNAVAILABLE')) },
    });
    assert.deepEqual(told, []);
  });

  it('begins where another process began that was there first', () => {
    const found = [
      { position: 0, token: 0 },
      { position: 2, token: 1 },
    ];
    const moves: Position[] = [];
    play('(aA) 996ms |', {
      log: { 0: 'a' },
      react: () => of(1),
      stopAt: 1_000,
      cursors: {
        readCursor: () => of(...found.splice(0, 1)),
        moveCursor(_name, { token }, to) {
          moves.push(to);
          return of(token === 0 ? undefined : { position: to, token: token + 1 });
        },
      },
    });
    // The head of the log, where it would have begun; what it answered lies before where the other began.
    assert.deepEqual(moves, [0]);
  });

  it('ends what it has begun before it fails with its log', () => {
    const broken = new Error('the log is broken');
    const { told } = play('a 4ms (A|)', {
      log: { 0: 'a', 5: broken },
      react: (_letter, { signal }) => aborted(signal),
    });
    assert.deepEqual(told, [broken]);
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

  describe('its cursor, where there is little to move it for', () => {
    it('stays where it is while the first event is not answered', () => {
      const react: Scene['react'] = (letter, _reaction, time) => timer(letter === 'b' ? 500 : 1, time);
      const { moves } = play(undefined, { log: { 0: 'bac' }, react });
      assert.deepEqual(moves, ['3 after 600 ms']);
    });

    it('moves past what is not for the saga in steps of a thousand', () => {
      const log = { 0: 999, 300: 1_000, 500: 1_999, 1000: 2_000 };
      const { moves } = play(undefined, { log, react: () => of(1), stopAt: 5_000 });
      assert.deepEqual(moves, ['1000 after 400 ms', '2000 after 1100 ms']);
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
