import type { CatalogModel, ModelRef } from '../../../events/providers.ts';
import type { ProviderId, SlotName, Strategy } from '../../../vocabulary.ts';
import { endOf, isSameModel } from '../reviewSlots.ts';
import { cloudProviders, type Need, needs, type Offer } from './offer.ts';

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

const SOON_MS = 30 * 86_400_000;
/** Not to be built upon: may change or vanish, or is limited to a few requests a day. */
const UNSETTLED = /preview|beta|alpha|experimental|-exp\b|:free$|deprecated/i;
/** Made for something else than text, though it also understands it. */
const SPECIAL = /audio|realtime|image|search|transcribe|tts|guard|moderation|deep-research/i;
/** On the gateway there are hundreds of models: those come first whose makers serve them themselves. */
const KNOWN_MAKERS = /^(anthropic|openai|google)\//;
const SMALL = /mini|nano|haiku|flash|lite|small|tiny|\b[1-9]b\b/i;

/**
 * The model that meets a need best; undefined when none meets it. The first difference decides: it is not about
 * to end, has more of the preferred abilities, is settled, is of a known maker, has the better price, and where
 * prices are unknown the name and the context length. The same catalog always gives the same choice.
 */
function bestFor(
  need: Need,
  provider: ProviderId,
  models: readonly CatalogModel[],
  now: number,
): CatalogModel | undefined {
  const able = models.filter(({ capabilities, ...model }) => {
    const end = endOf({ capabilities, ...model });
    return need.requires.every((wanted) => capabilities.includes(wanted)) && (end === undefined || end > now);
  });
  return able
    .map((model) => ({ model, marks: marksOf(model, need, provider, now) }))
    .sort((a, b) => compare(b.marks, a.marks) || byName(b.model, a.model))[0]?.model;
}

/** The higher the better, the first difference decides. */
function marksOf(model: CatalogModel, need: Need, provider: ProviderId, now: number): readonly number[] {
  const end = endOf(model);
  const price = blendedPrice(model);
  return [
    Number(end === undefined || end > now + SOON_MS),
    need.prefers.filter((wanted) => model.capabilities.includes(wanted)).length,
    Number(!UNSETTLED.test(model.id)),
    Number(!SPECIAL.test(model.id)),
    Number(provider !== 'gateway' || KNOWN_MAKERS.test(model.id)),
    Number(price !== undefined || provider === 'local-runner'),
    ...(price === undefined ? marksOfName(model, need, provider) : marksOfPrice(price, need)),
    model.contextLength ?? 0,
  ];
}

function marksOfPrice(price: number, { upTo }: Need): readonly number[] {
  if (upTo === 'cheapest') return [-price, 0];
  return price <= upTo ? [1, price] : [0, -price];
}

/** What runs here costs nothing: of it, the larger is always the better. */
function marksOfName({ id }: CatalogModel, { upTo }: Need, provider: ProviderId): readonly number[] {
  const wantsSmall = upTo === 'cheapest' && provider !== 'local-runner';
  return [Number(SMALL.test(id) === wantsSmall), 0];
}

/** USD for a million tokens, of which three in four are input, as in a conversation. Free means unknown. */
function blendedPrice({ pricing }: CatalogModel): number | undefined {
  const price = pricing ? (3 * pricing.inputPer1M + pricing.outputPer1M) / 4 : 0;
  return price > 0 ? price : undefined;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, mark] of a.entries()) {
    const difference = mark - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Of names that differ in numbers alone, the higher is the newer. */
function byName(a: CatalogModel, b: CatalogModel): number {
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}
