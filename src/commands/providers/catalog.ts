import { isDeepStrictEqual } from 'node:util';
import {
  type CatalogModel,
  catalogRefreshed,
  catalogRefreshRequested,
  type ProviderEvent,
  providerInitialized,
} from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { type ProviderState, providerState, providerStream } from './state.ts';

interface InitializeProvider {
  readonly providerId: ProviderId;
  /** The process that was answered. */
  readonly instanceId: string;
}

export const initializeProvider = defineCommand<InitializeProvider, ProviderState>({
  name: 'providers.initialize',
  state: providerState,
  scope: 'system',
  stream: providerStream,
  /** Once a process, and again after each failure. */
  decide({ initializedIn }, { providerId, instanceId }): ProviderEvent[] {
    return initializedIn === instanceId
      ? []
      : [{ type: providerInitialized.type, data: { providerId, instanceId } }];
  },
});

interface RequestRefresh {
  /** All of them when none is named. */
  readonly providerId?: ProviderId | undefined;
}

/** Every request is a fact; who fetches follows the log. */
export const requestRefresh = defineCommand<RequestRefresh, null>({
  name: 'providers.requestRefresh',
  state: { name: 'catalog-requests', version: 1, initial: null, evolve: () => null },
  scope: 'system',
  stream: () => 'catalog-requests',
  decide(_state, { providerId }): ProviderEvent[] {
    return [{ type: catalogRefreshRequested.type, data: providerId === undefined ? {} : { providerId } }];
  },
});

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
