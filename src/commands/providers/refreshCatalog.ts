import { isDeepStrictEqual } from 'node:util';
import { type CatalogModel, catalogRefreshed, type ProviderEvent } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { type ProviderState, providerState, providerStream } from './state.ts';

interface RefreshCatalog {
  readonly providerId: ProviderId;
  readonly latencyMs: number;
  /** In an order that does not change from fetch to fetch. */
  readonly models: readonly CatalogModel[];
}

export const refreshCatalog = defineCommand<RefreshCatalog, ProviderState>({
  name: 'providers.refreshCatalog',
  state: providerState,
  scope: 'system',
  stream: providerStream,
  /** Each fetch is a fact; the models go into the log only when they are others than before. */
  decide(state, { providerId, latencyMs, models }, { now }): ProviderEvent[] {
    const changed = isDeepStrictEqual(state.models, models) ? {} : { models };
    const data = { providerId, latencyMs, fetchedAt: now, count: models.length, ...changed };
    return [{ type: catalogRefreshed.type, data }];
  },
});
