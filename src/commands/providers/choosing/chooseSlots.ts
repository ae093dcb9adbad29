import type { ModelRef, SlotTable } from '../../../events/providers.ts';
import { type ProviderId, type SlotName, type Strategy, slotNames } from '../../../vocabulary.ts';
import type { KnownCatalog, SlotWarning } from '../reviewSlots.ts';
import { backupProviders, choose, WITHOUT_BACKUPS } from './backups.ts';
import { cloudProviders, type Offer, wellKnown } from './offer.ts';

export const modes = ['cloud', 'local', 'hybrid'] as const;

export interface Wish {
  readonly mode: (typeof modes)[number];
  /** Of the modes that use a cloud; of `local` it is the first backup, if the strategy wants one. */
  readonly provider: (typeof cloudProviders)[number];
  readonly strategy: Strategy;
}

/** Whether these are what is chosen while no catalog is there. */
export function areGuessed({ chat, ...others }: SlotTable): boolean {
  const isGuess = chat?.model === (chat && wellKnown[chat.provider]) && chat?.fallbacks.length === 0;
  return isGuess && Object.keys(others).length === 0;
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
    if (first) slots[name] = { ...first, fallbacks: WITHOUT_BACKUPS.has(name) ? [] : others };
  }
  return { slots, warnings };
}

function providersFor(slot: SlotName, { mode, provider, strategy }: Wish, offer: Offer): ProviderId[] {
  const staysHere = mode === 'hybrid' && LOCAL_IN_HYBRID.has(slot);
  const first: ProviderId = mode === 'local' || staysHere ? 'local-runner' : provider;
  const backups = backupProviders(strategy, offer);
  // Of several backups, the one that was wished for is the first.
  const wished = backups.filter((backup) => backup === provider);
  return [...new Set([first, ...wished, ...backups])];
}

function missing(provider: ProviderId): SlotWarning {
  const model = wellKnown[provider];
  const message =
    provider === 'local-runner'
      ? `The local runner has no model for chat; start it, pull one such as ${model}, and configure again`
      : `The catalog of ${provider} is not available now, or has no model for chat; configure again when it is`;
  return { slot: 'chat', provider, model, kind: 'catalog-unavailable', message };
}

/**
 * What is wished for when nobody said: the first configured cloud that offers a model for chat, backed by other
 * clouds, else by the local runner; the local runner alone where no cloud is configured. Undefined when nothing
 * is there to answer.
 */
export function firstWish({ catalogs, configured }: Offer): Wish | undefined {
  const clouds = cloudProviders.filter((cloud) => configured.includes(cloud));
  const hasLocal = hasChat(catalogs['local-runner']);
  const provider = clouds.find((cloud) => hasChat(catalogs[cloud])) ?? clouds[0];
  if (!provider)
    return hasLocal ? { mode: 'local', provider: cloudProviders[0], strategy: 'none' } : undefined;
  if (clouds.length > 1) return { mode: 'cloud', provider, strategy: 'cloud-backup' };
  return { mode: 'cloud', provider, strategy: hasLocal ? 'ollama-local' : 'cloud-backup' };
}

function hasChat(catalog: KnownCatalog | undefined): boolean {
  return catalog?.models.some(({ capabilities }) => capabilities.includes('chat')) ?? false;
}
