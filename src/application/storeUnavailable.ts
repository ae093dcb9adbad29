import { isHarkError } from '../errors.ts';

/** The store is away or full. Whoever watches it tells of it, once for all. */
export function isStoreUnavailable(error: unknown): boolean {
  return isHarkError(error, 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL');
}
