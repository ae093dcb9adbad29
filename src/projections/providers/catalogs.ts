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
export const catalogs = defineProjection({
  name: 'providers.catalogs',
  version: 1,
  handles: [catalogRefreshed],
  initial: (): CatalogsState => ({ byProvider: {} }),
  apply({ byProvider }, { data }) {
    const { providerId, models, fetchedAt, latencyMs } = data;
    const kept = models ?? byProvider[providerId]?.models ?? [];
    byProvider[providerId] = { models: kept, fetchedAt, latencyMs };
  },
});
