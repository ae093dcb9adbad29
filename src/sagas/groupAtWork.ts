import {
  catchError,
  defer,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  map,
  type Observable,
  repeat,
  type SchedulerLike,
  share,
  take,
  takeUntil,
} from 'rxjs';
import { isStoreUnavailable } from '../application/retryWhileUnavailable.ts';
import { aborted } from './aborted.ts';
import { pause } from './answer.ts';
import { inOrderOfKeys } from './inOrderOfKeys.ts';
import type { Saga, SagaGroup } from './saga.ts';

/** After a fault, or when somebody else moved its cursor. */
const AGAIN_MS = 2_000;

interface GroupOptions {
  readonly onFailure: (saga: string, error: unknown) => void;
  readonly scheduler: SchedulerLike;
  /** What the clock says. */
  readonly time: SchedulerLike;
  readonly begin: (saga: Saga, signal: AbortSignal) => Observable<never>;
}

interface Member {
  readonly name: string;
  /** Until it changes. */
  readonly signal: AbortSignal;
}

/**
 * The sagas of a group at work, each as it is at the moment: when it changes it is begun anew, once all that it had
 * begun has ended. A fault in one is told, and ends no other.
 */
export function groupAtWork(group: SagaGroup, options: GroupOptions, held: AbortSignal): Observable<never> {
  const changes = group.changes.pipe(takeUntil(aborted(held)), share());
  const memberOf = (name: string): Member => {
    const changed = new AbortController();
    changes
      .pipe(
        filter((other) => other === name),
        take(1),
      )
      .subscribe(() => changed.abort());
    return { name, signal: AbortSignal.any([held, changed.signal]) };
  };
  return changes.pipe(
    map(memberOf),
    inOrderOfKeys(
      ({ name }) => name,
      (member) => memberAtWork(group, member, options).pipe(endWith(member)),
      held,
    ),
    ignoreElements(),
  );
}

function memberAtWork(
  group: SagaGroup,
  { name, signal }: Member,
  { begin, onFailure, scheduler, time }: GroupOptions,
): Observable<never> {
  const current = () => (signal.aborted ? undefined : group.saga(name, time));
  return defer(() => {
    const saga = current();
    return saga ? begin(saga, signal) : EMPTY;
  }).pipe(
    catchError((error) => {
      if (!signal.aborted && !isStoreUnavailable(error)) onFailure(group.name, error);
      return EMPTY;
    }),
    repeat({ delay: () => (current() ? pause(AGAIN_MS, scheduler, signal) : EMPTY) }),
  );
}
