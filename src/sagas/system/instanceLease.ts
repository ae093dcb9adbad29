import { setTimeout as wait } from 'node:timers/promises';
import type { Deliveries, Leases } from '../../store/port.ts';

export const INSTANCE_LEASE_MS = 15_000;

export function instanceLease(instanceId: string): string {
  return `instance-${instanceId}`;
}

export interface SignOfLife {
  /** How often it has lapsed by now although the process lives, as when the store is away for longer. */
  lapses(): Promise<number>;
}

/**
 * The sign of life of a process: held from when this resolves until the signal; it lapses by itself when the
 * process is gone.
 */
export async function holdInstanceLease(
  store: Deliveries & Leases,
  instanceId: string,
  signal: AbortSignal,
): Promise<SignOfLife> {
  const acquire = () => store.acquireLease(instanceLease(instanceId), instanceId, INSTANCE_LEASE_MS);
  let lease = await acquire();
  let lapses = 0;
  const renew = async () => {
    const renewed = await acquire();
    if (renewed?.fence !== lease?.fence) lapses++;
    lease = renewed ?? lease;
  };
  void keepUp(renew, signal).then(async () => {
    if (lease) await store.releaseLease(lease).catch(() => undefined);
  });
  return {
    async lapses() {
      await renew();
      return lapses;
    },
  };
}

async function keepUp(renew: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await wait(INSTANCE_LEASE_MS / 3, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) await renew().catch(() => undefined);
  }
}
