import { setTimeout as wait } from 'node:timers/promises';
import type { Lease, Store } from '../../store/port.ts';

export const INSTANCE_LEASE_MS = 15_000;

export function instanceLease(instanceId: string): string {
  return `instance-${instanceId}`;
}

/** The sign of life of a process: held as long as it runs, it lapses by itself when the process is gone. */
export async function holdInstanceLease(
  store: Store,
  instanceId: string,
  signal: AbortSignal,
): Promise<void> {
  let lease: Lease | undefined;
  while (!signal.aborted) {
    const name = instanceLease(instanceId);
    lease = await store.acquireLease(name, instanceId, INSTANCE_LEASE_MS).catch(() => undefined);
    await wait(INSTANCE_LEASE_MS / 3, undefined, { signal, ref: false }).catch(() => undefined);
  }
  if (lease) await store.releaseLease(lease).catch(() => undefined);
}
