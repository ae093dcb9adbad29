import type { ProviderId } from '../../../vocabulary.ts';
import type { KnownCatalogs } from '../reviewSlots.ts';

export const cloudProviders = ['cloud-a', 'cloud-b', 'gateway'] as const;

/** What there is to choose from. */
export interface Offer {
  readonly catalogs: KnownCatalogs;
  /** Those that a key or an address is there for. */
  readonly configured: readonly ProviderId[];
}
