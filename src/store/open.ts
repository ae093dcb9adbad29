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

/** Opens the same place to look at it, beside the service that owns it; see `ReadOnlyAdapter`. */
export async function openReadOnly(url: StoreUrl, dataDirectory: string): Promise<StoreAdapter> {
  switch (url) {
    case 'none':
      throw new HarkError('KVSTORE_UNAVAILABLE');
    case 'memory':
      throw new HarkError('KVSTORE_UNAVAILABLE', {
        message: 'A log in memory can be seen only through the service that holds it',
      });
    case 'embedded': {
      const { SqliteReadOnlyAdapter } = await import('./sqlite/readOnlyAdapter.ts');
      return new SqliteReadOnlyAdapter(dataDirectory);
    }
    default: {
      const { RedisReadOnlyAdapter } = await import('./redis/readOnlyAdapter.ts');
      return RedisReadOnlyAdapter.open(url);
    }
  }
}
