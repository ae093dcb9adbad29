import { setTimeout as wait } from 'node:timers/promises';
import type { Store } from '../../store/port.ts';

export const INSTANCE_LEASE_MS = 15_000;

export function instanceLease(instanceId: string): string {
  return `instance-${instanceId}`;
}

/**
 * The sign of life of a process: held from when this resolves until the signal; it lapses by itself when the
 * process is gone.
 */
export async function holdInstanceLease(
  store: Store,
  instanceId: string,
  signal: AbortSignal,
): Promise<void> {
  const acquire = () => store.acquireLease(instanceLease(instanceId), instanceId, INSTANCE_LEASE_MS);
  const lease = await acquire();
  void renew(acquire, signal).then(async () => {
    if (lease) await store.releaseLease(lease).catch(() => undefined);
  });
}

async function renew(acquire: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(INSTANCE_LEASE_MS / 3, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) await acquire().catch(() => undefined);
  }
}
