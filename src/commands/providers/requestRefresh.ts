import { catalogRefreshRequested, type ProviderEvent } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';

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
