import {
  asapScheduler,
  catchError,
  defaultIfEmpty,
  defer,
  EMPTY,
  ignoreElements,
  type Observable,
  type ObservableInput,
  retry,
  type SchedulerLike,
  subscribeOn,
  takeUntil,
  throwError,
  timer,
} from 'rxjs';
import { isStoreUnavailable } from '../application/retryWhileUnavailable.ts';
import { aborted } from './aborted.ts';
import type { places } from './places.ts';
import { type RetryPolicy, verdictOn } from './retryPolicy.ts';
import { TryAgainLater } from './saga.ts';

/** What a saga does about one thing that drives it. */
interface Answering {
  readonly name: string;
  readonly policy: RetryPolicy | undefined;
  /** Of what it answers, where that has one. */
  readonly correlationId?: string;
  /** With how often it was tried before. */
  attempt(failures: number): ObservableInput<unknown>;
  /** Nothing more is tried after this error. */
  giveUp(error: unknown, failures: number): Observable<unknown>;
}

export interface AnsweringContext {
  readonly onFailure: (saga: string, error: unknown, correlationId?: string) => void;
  readonly scheduler: SchedulerLike;
  readonly signal: AbortSignal;
  /** While it waits to be tried again, it has no place. */
  readonly inPlaces: ReturnType<typeof places>;
}

/** The trigger, once it is answered, given up or told to stop. */
export function answer<Trigger>(
  trigger: Trigger,
  { name, policy, correlationId, attempt, giveUp }: Answering,
  { onFailure, scheduler, signal, inPlaces }: AnsweringContext,
): Observable<Trigger> {
  let failures = 0;
  let waits = 0;
  /** Emits when it is to be tried again, and fails when it is not. */
  const again = (error: unknown) => {
    if (error instanceof TryAgainLater) return pause(error.afterMs, scheduler, signal);
    const verdict = verdictOn(error, policy, { failures, waits });
    // Of what is away for long, it is told once a trigger.
    const isNews = verdict.is !== 'wait' || (waits === 0 && !isStoreUnavailable(error));
    if (isNews && !signal.aborted) onFailure(name, error, correlationId);
    if (verdict.is !== 'wait') failures++;
    else if (!isStoreUnavailable(error)) waits++;
    return verdict.is === 'given-up' ? throwError(() => error) : pause(verdict.pauseMs, scheduler, signal);
  };
  const once = defer(() => (signal.aborted ? EMPTY : attempt(failures)));
  return inPlaces(once).pipe(
    // Answered at once, a thousand that wait would be answered one inside the other: that is too deep for the stack.
    subscribeOn(asapScheduler),
    retry({ delay: again }),
    catchError((error) => giveUp(error, failures)),
    ignoreElements(),
    defaultIfEmpty(trigger),
  );
}

/** Emits after this time; only ends, where the signal comes before. */
export function pause(ms: number, scheduler: SchedulerLike, signal: AbortSignal): Observable<unknown> {
  return timer(ms, scheduler).pipe(takeUntil(aborted(signal)));
}
