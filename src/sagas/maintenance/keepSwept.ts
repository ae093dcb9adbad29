import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  map,
  merge,
  mergeMap,
  NEVER,
  Observable,
  of,
  repeat,
  type SchedulerLike,
  Subject,
  takeUntil,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { SweepRequest, SweepRequests } from '../../application/maintenance/sweepRequests.ts';
import { isStoreUnavailable } from '../../application/retryWhileUnavailable.ts';
import { isAhead } from '../../clock.ts';
import { memoryStream } from '../../events/memory.ts';
import type { SweptUsers } from '../../projections/maintenance/sweptUsers.ts';
import { nextAfter, type Schedule } from '../../recurrence.ts';
import { aborted } from '../aborted.ts';
import { type TimedSaga, TryAgainLater } from '../saga.ts';
import { whenDue } from '../whenDue.ts';
import type { WorkGuard } from './contradictions/ports.ts';

/** A start has enough to do; what was missed meanwhile is made up for after this time. */
const AFTER_START_MS = 60_000;
/** What the log cut off is gone on with after this time, or looked at again. */
const CUT_OFF_AGAIN_MS = 60_000;
/** A log that was away in the night is looked for again. */
const NIGHT_AGAIN_MS = 600_000;
const SHORTEST_LOOK_BACK_MS = 60_000;
/** More than a year: some are swept once in one. */
const LONGEST_LOOK_BACK_MS = 400 * 24 * 60 * 60_000;

interface KeepSweptOptions {
  readonly requests: Pick<SweepRequests, 'ask' | 'onCutOff'>;
  /** Whether a sweep of the user was begun and has not ended. */
  readonly isBegun: (userId: string) => Promise<boolean>;
  readonly known: () => SweptUsers;
  readonly schedule: Schedule;
  /** Swept also when nothing is remembered of them, so that it shows that sweeps are made. */
  readonly usualUser: string;
  /** When this process began. */
  readonly startedAt: number;
  readonly guard: Pick<WorkGuard, 'mayWork'>;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** It is night, or a sweep was cut off a while ago. */
export type SweepDue =
  | { readonly is: 'night'; readonly now: number }
  | { readonly is: 'cut off'; readonly request: SweepRequest };

/**
 * Has the memory of every user swept by the schedule, one after the other, and what was missed while no process ran
 * soon after the next start; and has gone on with what the log cut off, once that is back. While the machine is needed,
 * the night is left to the next, and what was cut off waits. Every process asks; that it is swept once, who sweeps sees to.
 */
export function keepSwept(options: KeepSweptOptions): TimedSaga<SweepDue> {
  const { requests, isBegun, known, schedule, usualUser, startedAt, guard, onFailure } = options;
  const cutOff = new Subject<SweepRequest>();
  const waiting = new Set<string>();
  const isSafe = () => defer(() => guard.mayWork(['maintenance'])).pipe(map(({ safe }) => safe));

  const sweepDue = (now: number, signal: AbortSignal): Observable<unknown> => {
    const due = lastUntil(schedule, now);
    if (due === null) return EMPTY;
    const sweep = (userId: string) =>
      defer(() =>
        requests.ask({ userId, by: 'schedule', correlationId: `maintenance-${due}`, since: due }),
      ).pipe(
        takeUntil(aborted(signal)),
        catchError((error) => {
          if (isStoreUnavailable(error)) return throwError(() => new TryAgainLater(NIGHT_AGAIN_MS));
          onFailure('memory maintenance', error);
          return of(null);
        }),
      );
    return from(usersDue(known(), usualUser, due, now)).pipe(
      concatMap((userId) =>
        (signal.aborted ? of(false) : isSafe()).pipe(
          mergeMap((goesOn) => (goesOn ? sweep(userId).pipe(map(() => true)) : of(false))),
        ),
      ),
      takeWhile((goesOn) => goesOn),
    );
  };

  const goOn = (request: SweepRequest, signal: AbortSignal): Observable<unknown> => {
    const { userId } = request;
    waiting.delete(userId);
    const sweep = defer(() => isBegun(userId)).pipe(
      mergeMap((begun) => (begun ? requests.ask(request) : EMPTY)),
    );
    return isSafe().pipe(
      mergeMap((safe) => (safe ? sweep : of(cutOff.next(request)))),
      takeUntil(aborted(signal)),
      catchError((error) => (isStoreUnavailable(error) ? of(cutOff.next(request)) : throwError(() => error))),
    );
  };

  return {
    name: 'keep-swept',
    everywhere: true,
    on: (time) =>
      merge(nights(schedule, startedAt, time), cutOffs(merge(told(requests), cutOff), waiting, time)),
    // What is not done now is done the next night.
    retry: { tries: 1 },
    key: (due) => (due.is === 'night' ? 'night' : `user ${due.request.userId}`),
    react: (due, { signal }) => (due.is === 'night' ? sweepDue(due.now, signal) : goOn(due.request, signal)),
  };
}

/** Soon after the start, and at each moment of the schedule since. */
function nights(schedule: Schedule, startedAt: number, time: SchedulerLike): Observable<SweepDue> {
  let after = startedAt;
  const scheduled = defer(() => {
    const next = nextAfter(schedule, after, after);
    if (next === null) return NEVER;
    return timer(new Date(next), time).pipe(
      tap(() => {
        after = time.now();
      }),
    );
  }).pipe(repeat());
  const afterStart = timer(new Date(startedAt + AFTER_START_MS), time);
  return merge(afterStart, scheduled).pipe(map((): SweepDue => ({ is: 'night', now: time.now() })));
}

/** Each a while after it was told of, and once for a user. */
function cutOffs(
  told: Observable<SweepRequest>,
  waiting: Set<string>,
  time: SchedulerLike,
): Observable<SweepDue> {
  const noted = told.pipe(
    filter(({ userId }) => !waiting.has(userId)),
    tap(({ userId }) => waiting.add(userId)),
    map((item) => ({ at: time.now() + CUT_OFF_AGAIN_MS, item })),
  );
  return whenDue(noted, time).pipe(map((request): SweepDue => ({ is: 'cut off', request })));
}

function told(requests: Pick<SweepRequests, 'onCutOff'>): Observable<SweepRequest> {
  return new Observable((subscriber) => requests.onCutOff((request) => subscriber.next(request)));
}

/** Whose memory was not swept since it was due, or was when the clock was ahead. */
export function usersDue(
  { byStream, startedAt }: SweptUsers,
  usualUser: string,
  due: number,
  now: number,
): readonly string[] {
  const usual = { userId: usualUser, since: startedAt ?? now };
  const users = Object.values({ [memoryStream(usualUser)]: usual, ...byStream });
  return users.filter(({ since }) => since < due || isAhead(since, now)).map(({ userId }) => userId);
}

/** The last moment until now at which it was due; looked for nearby first, since it may be due every minute. */
function lastUntil(schedule: Schedule, now: number): number | null {
  for (let back = SHORTEST_LOOK_BACK_MS; ; back = Math.min(4 * back, LONGEST_LOOK_BACK_MS)) {
    let last: number | null = null;
    const begin = now - back;
    for (let next = nextAfter(schedule, begin, begin); next !== null && next <= now; ) {
      last = next;
      next = nextAfter(schedule, next, next);
    }
    if (last !== null || back === LONGEST_LOOK_BACK_MS) return last;
  }
}
