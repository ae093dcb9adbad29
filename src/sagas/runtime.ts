import { setTimeout as wait } from 'node:timers/promises';
import type { CommandRunner } from '../commands/runner.ts';
import type { Store } from '../store/port.ts';
import { underLease } from './lease.ts';
import { isAway } from './retryPolicy.ts';
import type { LeasedWork, Saga } from './saga.ts';
import { type Pause, SagaWorker } from './worker.ts';

const LEASE_MS = 15_000;

export interface SagaRuntimeOptions {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly sagas: readonly (Saga | LeasedWork)[];
  /** Names this process among those that share the store. */
  readonly instanceId: string;
  readonly onFailure: (saga: string, error: unknown) => void;
  readonly leaseMs?: number;
  /** Instead of the time that sagas wait before they try again; for tests. */
  readonly pause?: Pause;
}

/** Runs every saga in exactly one of the processes on a store: the one that holds the saga's lease. */
export class SagaRuntime {
  readonly #options: SagaRuntimeOptions;
  readonly #stopping = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: SagaRuntimeOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = Promise.all(this.#options.sagas.map((saga) => this.#keepRunning(saga)));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #keepRunning(saga: Saga | LeasedWork): Promise<void> {
    const { store, instanceId, onFailure, leaseMs = LEASE_MS } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const lease = { name: `saga-${saga.name}`, holder: instanceId, leaseMs };
        await underLease(store, lease, signal, (held) =>
          'work' in saga ? saga.work(held) : new SagaWorker({ ...this.#options, saga }).work(held),
        );
      } catch (error) {
        if (!signal.aborted && !isAway(error)) onFailure(saga.name, error);
      }
      await pause(leaseMs / 3, signal);
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
