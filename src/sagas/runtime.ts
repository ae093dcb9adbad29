import {
  asyncScheduler,
  catchError,
  defer,
  EMPTY,
  ignoreElements,
  lastValueFrom,
  merge,
  type Observable,
  repeat,
  type SchedulerLike,
  takeUntil,
  timer,
} from 'rxjs';
import { isStoreUnavailable } from '../application/storeUnavailable.ts';
import { aborted } from './aborted.ts';
import { type Leases, underLease } from './lease.ts';
import type { LeasedWork, Saga } from './saga.ts';
import { type SagaLog, type SagaWork, work } from './work.ts';

const LEASE_MS = 15_000;

export interface SagaRuntimeOptions extends Omit<SagaWork, 'saga' | 'log' | 'scheduler'> {
  readonly store: SagaLog & Leases;
  readonly sagas: readonly (Saga | LeasedWork)[];
  /** Names this process among those that share the store. */
  readonly instanceId: string;
  readonly leaseMs?: number;
  readonly scheduler?: SchedulerLike;
}

/** Runs every saga in exactly one of the processes on a store: the one that holds the saga's lease. */
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

  #keepRunning(saga: Saga | LeasedWork): Observable<never> {
    const { store, instanceId, runner, onFailure, leaseMs = LEASE_MS } = this.#options;
    const scheduler = this.#scheduler;
    const { signal } = this.#stopping;
    const lease = { name: `saga-${saga.name}`, holder: instanceId, leaseMs };
    const begin = (held: AbortSignal) =>
      'work' in saga ? saga.work(held) : work({ saga, log: store, runner, onFailure, scheduler }, held);
    return defer(() => (signal.aborted ? EMPTY : underLease(store, lease, signal, begin, scheduler))).pipe(
      ignoreElements(),
      catchError((error) => {
        if (!signal.aborted && !isStoreUnavailable(error)) onFailure(saga.name, error);
        return EMPTY;
      }),
      repeat({ delay: () => timer(leaseMs / 3, scheduler).pipe(takeUntil(aborted(signal))) }),
    );
  }
}
