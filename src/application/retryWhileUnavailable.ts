import { setTimeout as wait } from 'node:timers/promises';
import { isStoreUnavailable } from './storeUnavailable.ts';

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
