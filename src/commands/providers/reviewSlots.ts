import type { CatalogModel, ModelRef } from '../../events/providers.ts';
import type { Issue } from '../../schemas/jsonSchema.ts';
import type { ProviderId, SlotName } from '../../vocabulary.ts';
import type { SlotChanges } from './readSlots.ts';

/** What is known of a provider's models, and whether that is as new as it should be. */
export interface KnownCatalog {
  readonly models: readonly CatalogModel[];
  readonly isCurrent: boolean;
}

export type KnownCatalogs = Readonly<Partial<Record<ProviderId, KnownCatalog>>>;

export interface SlotWarning {
  readonly slot: SlotName;
  readonly provider: ProviderId;
  readonly model: string;
  readonly kind: 'model-unknown' | 'model-deprecated' | 'catalog-unavailable';
  readonly message: string;
}

interface Review {
  readonly warnings: readonly SlotWarning[];
  readonly issues: readonly Issue[];
}

/**
 * Holds slots against the catalogs. A model that is no longer served is refused; one that is unknown, or that
 * ends later, is warned of, and so is a catalog that could not be had. Never throws.
 */
export function reviewSlots(changes: SlotChanges, catalogs: KnownCatalogs, now: number): Review {
  const warnings: SlotWarning[] = [];
  const issues: Issue[] = [];
  for (const [slot, chosen] of changes) {
    if (!chosen) continue;
    for (const [at, ref] of [chosen, ...chosen.fallbacks].entries()) {
      const path = at === 0 ? ['slots', slot, 'model'] : ['slots', slot, 'fallbacks', at - 1, 'model'];
      const { provider, model } = ref;
      for (const { kind, message } of findings(ref, catalogs[provider], now)) {
        if (kind === 'model-gone') issues.push({ path, message });
        else warnings.push({ slot, provider, model, kind, message });
      }
    }
  }
  return { warnings, issues };
}

type Finding = { readonly kind: SlotWarning['kind'] | 'model-gone'; readonly message: string };

function findings(
  { provider, model }: ModelRef,
  catalog: KnownCatalog | undefined,
  now: number,
): readonly Finding[] {
  const unavailable: Finding = {
    kind: 'catalog-unavailable',
    message: `The catalog of ${provider} is not available now; ${model} was not checked against it`,
  };
  if (!catalog) return [unavailable];
  const outdated = catalog.isCurrent ? [] : [unavailable];
  const offered = catalog.models.find(({ id }) => isSameModel(provider, id, model));
  if (!offered)
    return [...outdated, { kind: 'model-unknown', message: `${provider} does not list ${model}` }];
  const end = endOf(offered);
  if (end === undefined) return outdated;
  const day = new Date(end).toISOString().slice(0, 10);
  return end <= now
    ? [{ kind: 'model-gone', message: `${provider} has not served ${model} since ${day}` }]
    : [...outdated, { kind: 'model-deprecated', message: `${provider} serves ${model} only until ${day}` }];
}

const DAY_MS = 86_400_000;

/** Begin of the day (UTC) from which a model is not served any more. A date that is none says nothing. */
export function endOf({ deprecatedAt }: CatalogModel): number | undefined {
  const at = deprecatedAt === null ? Number.NaN : Date.parse(deprecatedAt);
  return Number.isNaN(at) ? undefined : Math.floor(at / DAY_MS) * DAY_MS;
}

/** The local runner means `name:latest` when it is told `name`. */
export function isSameModel(provider: ProviderId, listed: string, asked: string): boolean {
  return listed === asked || (provider === 'local-runner' && listed === `${asked}:latest`);
}
