import { eventCatalog } from '../../events/catalog.ts';
import { Log } from '../log.ts';
import { MemoryAdapter } from './adapter.ts';

/** A log that ends with its process. */
export function openLogInMemory(): Promise<Log> {
  return Log.open(new MemoryAdapter(), eventCatalog);
}
