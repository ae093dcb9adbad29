import { HarkError } from '../errors.ts';
import type { HealthRegistry } from './healthRegistry.ts';
import type { Kvstore } from './kvstore.ts';

/** Whether the store is there, takes what is appended, and is followed by what clients read. */
export function registerStoreChecks(health: HealthRegistry, kvstore: Kvstore): void {
  health.register('kvstore', async () => {
    const { connected, error } = await kvstore.status();
    if (!connected) throw new HarkError('KVSTORE_UNAVAILABLE', error === undefined ? {} : { message: error });
  });
  health.register('event-log', async () => {
    const { store } = kvstore.connected();
    await store.head();
    const { refusals } = await store.status();
    if (refusals?.last) throw refusals.last;
  });
  health.register('projections', async () => {
    const { store, views } = kvstore.connected();
    const head = await store.head();
    if (views.position < head)
      throw new HarkError('CHECK_FAILED', { message: `${head - views.position} events behind the log` });
  });
}
