import type { CatalogModel } from '../../../events/providers.ts';
import type { ProviderId } from '../../../vocabulary.ts';
import { endOf } from '../reviewSlots.ts';
import type { Need } from './needs.ts';

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
export function bestFor(
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
