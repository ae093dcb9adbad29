import { HarkError } from '../errors.ts';
import type { StoreConnection, StoreStatus } from './port.ts';

const LOOK_MS = 1_000;

export interface StoreWatchListeners {
  onTrouble(what: string, error: HarkError): void;
  onReturn(): void;
}

/**
 * Whoever runs the service should hear of a store that goes away or takes nothing more, and of its return: once
 * each, however many requests failed meanwhile. What came and went between two looks is told too.
 */
export function watchStore(
  store: StoreConnection,
  listeners: StoreWatchListeners,
  signal: AbortSignal,
): void {
  let isWell = true;
  let before: StoreStatus | undefined;
  const look = setInterval(async () => {
    const status = await store.status();
    if (signal.aborted) return;
    const trouble = troubleOf(status, before);
    before = status;
    if (isWell !== (trouble === undefined)) {
      isWell = trouble === undefined;
      if (trouble) listeners.onTrouble(...trouble);
      else listeners.onReturn();
    }
  }, LOOK_MS).unref();
  signal.addEventListener('abort', () => clearInterval(look), { once: true });
}

/** A store that still refuses some of what comes is not well yet, although the last append went through. */
function troubleOf(
  { connected, error, losses = 0, refusals }: StoreStatus,
  before: StoreStatus | undefined,
): [what: string, error: HarkError] | undefined {
  if (!connected || losses > (before?.losses ?? 0))
    return ['kvstore', new HarkError('KVSTORE_UNAVAILABLE', error ? { message: error } : {})];
  if (refusals && (refusals.last || refusals.count > (before?.refusals?.count ?? 0)))
    return ['event-log', refusals.last ?? new HarkError('STORAGE_FULL')];
  return undefined;
}
