import { HarkError } from '../errors.ts';
import type { StoreAdapter } from './adapter.ts';

export type StoreUrl = string;

/** Opens the place that a `SERVICE_KVSTORE_URL` names; `none` names none. Adapters load when they are used. */
export async function openAdapter(url: StoreUrl, dataDirectory: string): Promise<StoreAdapter> {
  switch (url) {
    case 'none':
      throw new HarkError('KVSTORE_UNAVAILABLE');
    case 'memory': {
      const { MemoryAdapter } = await import('./memory/adapter.ts');
      return new MemoryAdapter();
    }
    case 'embedded': {
      const { SqliteAdapter } = await import('./sqlite/adapter.ts');
      return SqliteAdapter.open(dataDirectory);
    }
    default: {
      const { RedisAdapter } = await import('./redis/adapter.ts');
      return RedisAdapter.open(url);
    }
  }
}
