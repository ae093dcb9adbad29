import { setTimeout as wait } from 'node:timers/promises';
import type { Lease, Store } from '../store/port.ts';

const RENEW_MS = 5_000;

interface Wanted {
  readonly name: string;
  /** Names this process among those that share the store. */
  readonly holder: string;
  readonly leaseMs: number;
}

/**
 * Works as the only one with this lease, and lets it go then; undefined when somebody else has it. The work's signal
 * is aborted as soon as the lease cannot be shown to be held any longer.
 */
export async function underLease<Result>(
  store: Store,
  { name, holder, leaseMs }: Wanted,
  stopping: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result } | undefined> {
  const lease = await store.acquireLease(name, holder, leaseMs);
  if (!lease) return undefined;
  const lost = new AbortController();
  const signal = AbortSignal.any([stopping, lost.signal]);
  const renewing = renew(store, lease, leaseMs, lost, signal);
  const unsubscribe = store.onReplaced(() => lost.abort());
  try {
    return { result: await work(signal) };
  } finally {
    lost.abort();
    unsubscribe();
    await renewing;
    await store.releaseLease(lease).catch(() => undefined);
  }
}

async function renew(
  store: Store,
  { name, holder, fence }: Lease,
  leaseMs: number,
  lost: AbortController,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await wait(Math.min(RENEW_MS, leaseMs / 3), undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    const renewed = await store.acquireLease(name, holder, leaseMs).catch(() => undefined);
    if (renewed?.fence !== fence) lost.abort();
  }
}
