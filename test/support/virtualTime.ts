import assert from 'node:assert/strict';
import { finalize, merge, type ObservableInput, Subject } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { workByTime } from '../../src/sagas/dueTimes.ts';
import type { TimedSaga } from '../../src/sagas/saga.ts';

interface Playing {
  readonly time: TestScheduler;
  readonly signal: AbortSignal;
  readonly tell: (what: string) => void;
}

interface Scene<Due> {
  readonly saga: (time: TestScheduler) => TimedSaga<Due>;
  /** What is told of each thing that falls due, at the moment at which it is begun. */
  readonly tell: (due: Due) => string;
  /** Instead of what the saga does: what becomes of what is known. */
  readonly answer: (due: Due, playing: Playing) => ObservableInput<unknown>;
  readonly stopAt: number;
}

/** Plays what falls due by a saga, in virtual time: a frame of the marbles is a millisecond. Gives the failures told. */
export function playDue<Due>(expected: string, { saga: on, tell, answer, stopAt }: Scene<Due>): unknown[] {
  const time = new TestScheduler((actual, wanted) => assert.deepEqual(actual, wanted));
  const told: unknown[] = [];
  time.run(({ expectObservable }) => {
    const seen = new Subject<string>();
    const stopping = new AbortController();
    time.schedule(() => stopping.abort(), stopAt);
    const saga: TimedSaga<Due> = {
      ...on(time),
      react: (due, { signal }) => {
        seen.next(tell(due));
        return answer(due, { time, signal, tell: (what) => seen.next(what) });
      },
    };
    const onFailure = (_saga: string, error: unknown) => told.push(error);
    const working = workByTime({ saga, onFailure, scheduler: time, time }, stopping.signal);
    expectObservable(merge(seen, working.pipe(finalize(() => seen.complete())))).toBe(expected);
  });
  return told;
}
