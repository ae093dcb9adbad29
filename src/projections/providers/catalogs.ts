import { type CatalogModel, catalogRefreshed } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineProjection } from '../projection.ts';

export interface StoredCatalog {
  readonly models: readonly CatalogModel[];
  readonly fetchedAt: number;
  readonly latencyMs: number;
}

interface CatalogsState {
  readonly byProvider: Partial<Record<ProviderId, StoredCatalog>>;
}

/** The last good catalog of each provider: it outlives outages and restarts. */
export const catalogs = defineProjection<CatalogsState>({
  name: 'providers.catalogs',
  version: 1,
  handles: [catalogRefreshed.type],
  initial: () => ({ byProvider: {} }),
  apply({ byProvider }, event) {
    const { providerId, models, fetchedAt, latencyMs } = catalogRefreshed.data.parse(event.data);
    const kept = models ?? byProvider[providerId]?.models ?? [];
    byProvider[providerId] = { models: kept, fetchedAt, latencyMs };
  },
});
