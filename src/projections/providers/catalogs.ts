import { type CatalogModel, catalogRefreshed, type ModelRef } from '../../events/providers.ts';
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

const nothing = { inputPer1M: 0, outputPer1M: 0 };

/** Undefined where no catalog has a price; what runs on the own machine costs nothing. */
export function pricingOf(
  { byProvider }: CatalogsState,
  { provider, model }: ModelRef,
): NonNullable<CatalogModel['pricing']> | undefined {
  if (provider === 'local-runner') return nothing;
  return byProvider[provider]?.models.find(({ id }) => id === model)?.pricing ?? undefined;
}
