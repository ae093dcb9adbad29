import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  ignoreElements,
  lastValueFrom,
  merge,
  type Observable,
  type ObservableInput,
  repeat,
  type SchedulerLike,
  takeUntil,
  timer,
} from 'rxjs';
import { isStoreUnavailable } from '../application/retryWhileUnavailable.ts';
import { aborted } from './aborted.ts';
import { type TimedWork, workByTime } from './dueTimes.ts';
import { groupAtWork } from './groupAtWork.ts';
import { LEASE_MS, type SagaLeases, underLease } from './lease.ts';
import type { AnySaga, Saga, TimedSaga } from './saga.ts';
import { type SagaLog, type SagaWork, work } from './work.ts';

export { ClockScheduler } from './clockScheduler.ts';

export interface SagaRuntimeOptions extends Omit<SagaWork, 'saga' | 'log' | 'scheduler'> {
  readonly store: SagaLog & SagaLeases;
  readonly sagas: readonly AnySaga[];
  /** Names this process among those that share the store. */
  readonly instanceId: string;
  readonly scheduler?: SchedulerLike;
  /** The service's clock, by which things fall due. */
  readonly time?: SchedulerLike;
}

/**
 * Runs every saga in exactly one of the processes on a store: the one that holds the saga's lease. What is a matter of
 * each process runs in all of them.
 */
export class SagaRuntime {
  readonly #options: SagaRuntimeOptions;
  readonly #scheduler: SchedulerLike;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: SagaRuntimeOptions) {
    this.#options = options;
    this.#scheduler = options.scheduler ?? asyncScheduler;
  }

  start(): void {
    const sagas = merge(...this.#options.sagas.map((saga) => this.#keepRunning(saga)));
    this.#running = lastValueFrom(sagas, { defaultValue: undefined });
  }

  /** Resolves when all that was begun has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  #keepRunning(saga: AnySaga): Observable<never> {
    const { store, instanceId, onFailure } = this.#options;
    const scheduler = this.#scheduler;
    const { signal } = this.#stopping;
    const lease = { name: `saga-${saga.name}`, holder: instanceId };
    const begin = (held: AbortSignal) => this.#work(saga, held);
    const isAlone = !('everywhere' in saga);
    const oneTerm = () => (isAlone ? underLease(store, lease, signal, begin, scheduler) : begin(signal));
    return defer(() => (signal.aborted ? EMPTY : oneTerm())).pipe(
      ignoreElements(),
      catchError((error) => {
        if (!signal.aborted && !isStoreUnavailable(error)) onFailure(saga.name, error);
        return EMPTY;
      }),
      repeat({ delay: () => timer(LEASE_MS / 3, scheduler).pipe(takeUntil(aborted(signal))) }),
    );
  }

  #work(saga: AnySaga, held: AbortSignal): ObservableInput<unknown> {
    const { store: log, instanceId, runner, onFailure, time = this.#scheduler } = this.#options;
    const scheduler = this.#scheduler;
    if ('changes' in saga) {
      const begin = (member: Saga, signal: AbortSignal) =>
        work({ saga: member, log, runner, onFailure: failed, scheduler, mostOpen: 1 }, signal);
      const failed: typeof onFailure = (_member, error, cause) => onFailure(saga.name, error, cause);
      return groupAtWork(saga, { begin, onFailure, scheduler, time }, held);
    }
    const leases = { store: log, holder: instanceId };
    if (isTimed(saga)) return workByTime({ saga, leases, onFailure, scheduler, time }, held);
    return work({ saga, log, runner, onFailure, scheduler }, held);
  }
}

interface ProcessSagasOptions extends Omit<TimedWork, 'saga' | 'leases' | 'scheduler'> {
  readonly sagas: readonly TimedSaga[];
}

/** Runs what is a matter of this process by itself, whether there is a store or not. */
export class ProcessSagas {
  readonly #options: ProcessSagasOptions;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: ProcessSagasOptions) {
    this.#options = options;
  }

  start(): void {
    const { sagas, ...options } = this.#options;
    const working = sagas.map((saga) =>
      workByTime({ ...options, saga, scheduler: asyncScheduler }, this.#stopping.signal),
    );
    this.#running = lastValueFrom(merge(...working), { defaultValue: undefined });
  }

  /** Resolves when all that was begun has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

function isTimed(saga: Saga | TimedSaga): saga is TimedSaga {
  return typeof saga.on === 'function';
}
