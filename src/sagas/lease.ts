import {
  catchError,
  concat,
  concatWith,
  defer,
  dematerialize,
  EMPTY,
  exhaustMap,
  filter,
  finalize,
  from,
  ignoreElements,
  interval,
  materialize,
  merge,
  mergeMap,
  NEVER,
  Observable,
  type ObservableInput,
  of,
  type SchedulerLike,
  Subject,
  take,
  takeUntil,
  tap,
  timer,
  toArray,
} from 'rxjs';
import type { Lease } from '../store/port.ts';
import { aborted, repeatUntil } from './aborted.ts';

/** For how long a lease is held that is not renewed. */
export const LEASE_MS = 15_000;
const RENEW_MS = LEASE_MS / 3;

/** Where leases are kept. */
export interface SagaLeases {
  acquireLease(name: string, holder: string, leaseMs: number): ObservableInput<Lease | undefined>;
  releaseLease(lease: Lease): ObservableInput<unknown>;
  onReplaced(listener: () => void): () => void;
}

interface Wanted {
  readonly name: string;
  /** Names this process among those that share the store. */
  readonly holder: string;
}

/**
 * Works as the only one with this lease, and emits what came of it once the lease is let go; nothing when somebody
 * else has it. The work's signal is aborted as soon as the lease cannot be shown to be held any longer; it is let go
 * when the work has ended by itself, so that nobody else begins before.
 */
export function underLease<Result>(
  leases: SagaLeases,
  wanted: Wanted,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => ObservableInput<Result>,
  scheduler: SchedulerLike,
): Observable<Result> {
  const { name, holder } = wanted;
  const acquire = () => leases.acquireLease(name, holder, LEASE_MS);
  return defer(acquire).pipe(
    mergeMap((lease) => {
      if (!lease) return EMPTY;
      const lost = new AbortController();
      const over = new Subject<void>();
      const renewals = interval(RENEW_MS, scheduler).pipe(
        takeUntil(over),
        // One that is under way when the work ends is waited for: it must not take the lease after it was let go.
        exhaustMap(() => defer(acquire).pipe(catchError(() => of(undefined)))),
        filter((renewed) => renewed?.fence !== lease.fence),
      );
      const replacements = new Observable<void>((subscriber) =>
        leases.onReplaced(() => subscriber.next()),
      ).pipe(takeUntil(over));
      const losses = merge(renewals, replacements).pipe(
        tap(() => lost.abort()),
        ignoreElements(),
      );
      const result = defer(() => work(AbortSignal.any([stopping, lost.signal]))).pipe(
        materialize(),
        finalize(() => over.next()),
      );
      const release = defer(() => leases.releaseLease(lease)).pipe(
        catchError(() => EMPTY),
        ignoreElements(),
      );
      return merge(losses, result).pipe(
        toArray(),
        mergeMap((told) => concat(release, from(told).pipe(dematerialize()))),
      );
    }),
  );
}

/**
 * Emits what came of the work, which no two processes do at the same time; or, while another one is at it, what
 * `elsewhere` has to tell. Ends without either when it is to stop.
 */
export function onceAmongProcesses<Result>(
  leases: SagaLeases,
  wanted: Wanted,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => ObservableInput<Result>,
  elsewhere: Observable<Result>,
  scheduler: SchedulerLike,
): Observable<Result> {
  const lookAgain = merge(timer(RENEW_MS, scheduler), aborted(stopping));
  return defer(() => (stopping.aborted ? EMPTY : underLease(leases, wanted, stopping, work, scheduler))).pipe(
    concatWith(merge(elsewhere, NEVER).pipe(takeUntil(lookAgain))),
    repeatUntil(stopping),
    take(1),
  );
}
