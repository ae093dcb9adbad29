import type { ModelRef } from '../../../events/providers.ts';
import type { ProviderId, SlotName, Strategy } from '../../../vocabulary.ts';
import { isSameModel } from '../reviewSlots.ts';
import { needs } from './needs.ts';
import { cloudProviders, type Offer } from './offer.ts';
import { bestFor } from './ranking.ts';

/** A vector of one model means nothing to another, so no model stands in for the one that embeds. */
export const WITHOUT_BACKUPS: ReadonlySet<SlotName> = new Set(['embedding']);

type Configured = Pick<Offer, 'configured'>;

/** Who takes over by the strategy, in order. */
export function backupProviders(strategy: Strategy, { configured }: Configured): readonly ProviderId[] {
  switch (strategy) {
    case 'cloud-backup':
      return cloudProviders.filter((cloud) => configured.includes(cloud));
    case 'ollama-local':
      return ['local-runner'];
    case 'none':
      return [];
  }
}

/** Less the hosted ones of the chain: of those, the user chose the model. */
export function providersAfter(
  slot: SlotName,
  chain: readonly ModelRef[],
  strategy: Strategy,
  offer: Configured,
): readonly ProviderId[] {
  if (WITHOUT_BACKUPS.has(slot)) return [];
  const isInChain = (provider: ProviderId) => chain.some((named) => named.provider === provider);
  return backupProviders(strategy, offer).filter(
    (provider) => provider === 'local-runner' || !isInChain(provider),
  );
}

/**
 * Who is asked after the chain of a slot, when credit is used up: of each provider that the strategy names, the model
 * that auto-configuration would choose.
 */
export function backupsFor(
  slot: SlotName,
  chain: readonly ModelRef[],
  strategy: Strategy,
  offer: Offer,
  now: number,
): readonly ModelRef[] {
  return providersAfter(slot, chain, strategy, offer).flatMap((provider) => {
    // `maintenance` looks for what `consolidation` does, to which it falls back.
    const model = choose(slot === 'maintenance' ? 'consolidation' : slot, provider, offer, now);
    if (model === undefined) return [];
    const isThere = chain.some((one) => one.provider === provider && isSameModel(provider, model, one.model));
    return isThere ? [] : [{ provider, model }];
  });
}

/** The best model of a provider for a slot; undefined when it has none. */
export function choose(
  slot: SlotName,
  provider: ProviderId,
  { catalogs }: Offer,
  now: number,
): string | undefined {
  const need = needs[slot];
  return need && bestFor(need, provider, catalogs[provider]?.models ?? [], now)?.id;
}
