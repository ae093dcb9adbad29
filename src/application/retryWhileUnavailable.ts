import { setTimeout as wait } from 'node:timers/promises';
import { isHarkError } from '../errors.ts';

const PAUSE_MS = 1_000;

/** Does it again for as long as the store is away or full, or until the signal: what it has to say must not be lost. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      await wait(PAUSE_MS, undefined, { signal, ref: false });
    }
  }
}

/** The store is away or full. Whoever watches it tells of it, once for all. */
export function isStoreUnavailable(error: unknown): boolean {
  return isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL');
}
