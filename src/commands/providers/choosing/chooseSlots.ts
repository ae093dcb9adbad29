import type { ModelRef, SlotTable } from '../../../events/providers.ts';
import { type ProviderId, type SlotName, type Strategy, slotNames } from '../../../vocabulary.ts';
import type { KnownCatalogs, SlotWarning } from '../reviewSlots.ts';
import { needs } from './needs.ts';
import { bestFor } from './ranking.ts';
import { wellKnown } from './wellKnown.ts';

export const modes = ['cloud', 'local', 'hybrid'] as const;
export const cloudProviders = ['cloud-a', 'cloud-b', 'gateway'] as const;

export interface Wish {
  readonly mode: (typeof modes)[number];
  /** Of the modes that use a cloud; of `local` it is the first backup, if the strategy wants one. */
  readonly provider: (typeof cloudProviders)[number];
  readonly strategy: Strategy;
}

/** What there is to choose from. */
export interface Offer {
  readonly catalogs: KnownCatalogs;
  /** Those that a key or an address is there for. */
  readonly configured: readonly ProviderId[];
}

interface Chosen {
  readonly slots: SlotTable;
  readonly warnings: readonly SlotWarning[];
}

/** In `hybrid`, small and frequent work stays on this machine. */
const LOCAL_IN_HYBRID: ReadonlySet<SlotName> = new Set([
  'summarization',
  'extraction',
  'classification',
  'embedding',
]);

/** A vector of one model means nothing to another, so no model stands in for the one that embeds. */
const WITHOUT_FALLBACKS: ReadonlySet<SlotName> = new Set(['embedding']);

/**
 * The rule of auto-configuration. Each slot takes the best model (see `bestFor`) of the provider that the mode
 * gives it; a slot that finds none is left unset and falls back. The chain behind it is the strategy's: with
 * `cloud-backup` the best of every other configured cloud, with `ollama-local` the best of the local runner,
 * with `none` nothing. Nothing leaves this machine in `local` unless the strategy is `cloud-backup`.
 *
 * `chat` is always set, and to the provider that was wished for: to a model that this is known for, while its
 * catalog offers none.
 */
export function chooseSlots(wish: Wish, offer: Offer, now: number): Chosen {
  const slots: SlotTable = {};
  const warnings: SlotWarning[] = [];
  for (const name of slotNames) {
    const chain: ModelRef[] = [];
    for (const provider of providersFor(name, wish, offer)) {
      const model = choose(name, provider, offer, now);
      if (model === undefined && name === 'chat') warnings.push(missing(provider));
      if (model !== undefined) chain.push({ provider, model });
      else if (name === 'chat' && chain.length === 0) chain.push({ provider, model: wellKnown[provider] });
    }
    const [first, ...others] = chain;
    if (first) slots[name] = { ...first, fallbacks: WITHOUT_FALLBACKS.has(name) ? [] : others };
  }
  return { slots, warnings };
}

function providersFor(
  slot: SlotName,
  { mode, provider, strategy }: Wish,
  { configured }: Offer,
): ProviderId[] {
  const staysHere = mode === 'hybrid' && LOCAL_IN_HYBRID.has(slot);
  const clouds = [provider, ...cloudProviders.filter((cloud) => cloud !== provider)];
  const backups: Record<Strategy, readonly ProviderId[]> = {
    'cloud-backup': clouds.filter((cloud) => configured.includes(cloud)),
    'ollama-local': ['local-runner'],
    none: [],
  };
  const first: ProviderId = mode === 'local' || staysHere ? 'local-runner' : provider;
  return [...new Set([first, ...backups[strategy]])];
}

function choose(slot: SlotName, provider: ProviderId, { catalogs }: Offer, now: number): string | undefined {
  const need = needs[slot];
  return need && bestFor(need, provider, catalogs[provider]?.models ?? [], now)?.id;
}

function missing(provider: ProviderId): SlotWarning {
  const model = wellKnown[provider];
  const message =
    provider === 'local-runner'
      ? `The local runner has no model for chat; start it, pull one such as ${model}, and configure again`
      : `The catalog of ${provider} cannot be had now, or has no model for chat; configure again when it can`;
  return { slot: 'chat', provider, model, kind: 'catalog-unavailable', message };
}
