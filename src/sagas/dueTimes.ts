import {
  catchError,
  concat,
  defer,
  EMPTY,
  finalize,
  first,
  from,
  ignoreElements,
  type Observable,
  type SchedulerLike,
  Subject,
  startWith,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { isStoreUnavailable } from '../application/retryWhileUnavailable.ts';
import { aborted, repeatUntil } from './aborted.ts';
import { answer, pause } from './answer.ts';
import { inOrderOfKeys } from './inOrderOfKeys.ts';
import { onceAmongProcesses, type SagaLeases } from './lease.ts';
import { places } from './places.ts';
import type { TimedReaction, TimedSaga } from './saga.ts';

/** Answers under way at the same time. */
const MOST_AT_ONCE = 32;
/** After a look that failed. */
const LOOK_AGAIN_MS = 10_000;

/** What one look finds. */
interface Look<Due> {
  readonly due: Iterable<Due>;
  /** When to look again: later than now. */
  readonly again: number;
}

/** What drives a saga that looks now and then: all that a look finds due, and nothing more until it is to look again. */
export function looks<Due>(look: (now: number) => Look<Due>): (time: SchedulerLike) => Observable<Due> {
  return (time) =>
    defer(() => {
      const now = time.now();
      const { due, again } = look(now);
      return concat(from(due), timer(again - now, time).pipe(ignoreElements()));
    });
}

export interface TimedWork {
  readonly saga: TimedSaga;
  readonly onFailure: (saga: string, error: unknown) => void;
  /** Where it is said which process does what; a process without a store is the only one. */
  readonly leases?: { readonly store: SagaLeases; readonly holder: string };
  /** What passes between two tries. */
  readonly scheduler: SchedulerLike;
  /** What the clock says, which may be put back. */
  readonly time: SchedulerLike;
}

/**
 * A saga at work that time drives: answers whatever falls due, in its key's order, until the signal; by then all that
 * was begun has ended. What is given up is told, and nothing more: where it is still due, the next look finds it.
 */
export function workByTime(
  { saga, leases, onFailure, scheduler, time }: TimedWork,
  signal: AbortSignal,
): Observable<never> {
  const { atOnce = MOST_AT_ONCE } = saga;
  const alone: TimedReaction['onceAmongProcesses'] = (name, work, elsewhere) => {
    if (!leases) return defer(() => work(signal));
    const { store, holder } = leases;
    return onceAmongProcesses(store, { name, holder }, signal, work, elsewhere, scheduler);
  };
  const context = { onFailure, scheduler, signal, inPlaces: places(atOnce) };
  let open = 0;
  const answered = new Subject<void>();
  const room = () =>
    answered.pipe(
      startWith(undefined),
      first(() => open < atOnce),
    );
  const due = defer(() => saga.on(time, room)).pipe(
    takeUntil(aborted(signal)),
    tap(() => open++),
    catchError((error) => {
      if (!isStoreUnavailable(error)) onFailure(saga.name, error);
      return pause(LOOK_AGAIN_MS, scheduler, signal).pipe(ignoreElements());
    }),
  );
  const answers = due.pipe(
    inOrderOfKeys(
      (one) => saga.key(one),
      (one) => {
        const attempt = (failures: number) =>
          saga.react(one, { failures, signal, onceAmongProcesses: alone });
        const { name, retry: policy } = saga;
        return answer(one, { name, policy, attempt, giveUp: () => EMPTY }, context).pipe(
          finalize(() => {
            open--;
            answered.next();
          }),
        );
      },
      signal,
    ),
  );
  return answers.pipe(ignoreElements(), repeatUntil(signal));
}
