import { setTimeout as wait } from 'node:timers/promises';
import type { CommandRunner } from '../commands/runner.ts';
import type { Lease, Store } from '../store/port.ts';
import type { Saga } from './saga.ts';
import { isAway, SagaWorker } from './worker.ts';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

export interface SagaRuntimeOptions {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly sagas: readonly Saga[];
  /** Names this process among those that share the store. */
  readonly instanceId: string;
  readonly onFailure: (saga: string, error: unknown) => void;
  readonly leaseMs?: number;
  readonly firstPauseMs?: number;
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

  async #keepRunning(saga: Saga): Promise<void> {
    const { store, instanceId, onFailure, leaseMs = LEASE_MS } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const lease = await store.acquireLease(`saga-${saga.name}`, instanceId, leaseMs);
        if (lease) await this.#workUnder(lease, saga);
      } catch (error) {
        if (!signal.aborted && !isAway(error)) onFailure(saga.name, error);
      }
      await pause(leaseMs / 3, signal);
    }
  }

  async #workUnder(lease: Lease, saga: Saga): Promise<void> {
    const { store } = this.#options;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, lost.signal]);
    const renewing = this.#renew(lease, lost, signal);
    const unsubscribe = store.onReplaced(() => lost.abort());
    try {
      await new SagaWorker({ ...this.#options, saga }).work(signal);
    } finally {
      lost.abort();
      unsubscribe();
      await renewing;
      await store.releaseLease(lease).catch(() => undefined);
    }
  }

  /** Ends the work as soon as the lease cannot be shown to be held any longer. */
  async #renew(lease: Lease, lost: AbortController, signal: AbortSignal): Promise<void> {
    const { store, leaseMs = LEASE_MS } = this.#options;
    while (!signal.aborted) {
      await pause(Math.min(RENEW_MS, leaseMs / 3), signal);
      if (signal.aborted) return;
      const renewed = await store.acquireLease(lease.name, lease.holder, leaseMs).catch(() => undefined);
      if (renewed?.fence !== lease.fence) lost.abort();
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
