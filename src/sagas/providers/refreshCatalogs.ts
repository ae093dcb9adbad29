import type { Catalogs } from '../../application/providers/catalogs.ts';
import type { SlotBook } from '../../application/providers/slotBook.ts';
import { providerCredentialsUpdated } from '../../events/credentials.ts';
import { catalogRefreshRequested } from '../../events/providers.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { type ProviderId, providerIds } from '../../vocabulary.ts';
import type { Saga } from '../saga.ts';

/**
 * Fetches catalogs when somebody asks for it, which a schedule may do, and when a key changed; the first key
 * also sets the first slots. A fetch twice does no harm.
 */
export function refreshCatalogs(catalogs: Catalogs, slots: SlotBook): Saga {
  return {
    name: 'refresh-catalogs',
    on: [catalogRefreshRequested.type, providerCredentialsUpdated.type],
    // A catalog that cannot be had is told by itself, and fetched again when it is next needed.
    retry: { tries: 3, firstPauseMs: 1_000 },
    key: () => 'catalogs',
    async react(event) {
      await Promise.all(providersIn(event).map((providerId) => catalogs.of(providerId, { refresh: true })));
      await slots.settle();
    },
  };
}

function providersIn(event: StoredEvent): readonly ProviderId[] {
  if (event.type === providerCredentialsUpdated.type) {
    const { providerId: scope } = providerCredentialsUpdated.data.parse(event.data);
    return providerIds.filter((providerId) => scope === `provider-${providerId}`);
  }
  const { providerId } = catalogRefreshRequested.data.parse(event.data);
  return providerIds.filter((known) => providerId === undefined || providerId === known);
}
