import { type CatalogModel, catalogModel } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';

/** More than any provider offers: whoever sends more sends nonsense, and nonsense must not fill the log. */
const MOST_MODELS = 5_000;
const LONGEST_ID = 200;
const LONGEST_NAME = 300;

/** A catalog that may be kept, in an order of its own; undefined for one that is empty, huge or wrong. */
export function checkedModels(
  providerId: ProviderId,
  listed: readonly unknown[],
): readonly CatalogModel[] | undefined {
  if (!Array.isArray(listed) || listed.length > MOST_MODELS) return undefined;
  const byId = new Map<string, CatalogModel>();
  for (const entry of listed) {
    const { data } = catalogModel.safeParse(entry);
    if (data && isSane(data)) byId.set(data.id, data);
  }
  // A local runner without any model is nothing wrong; a hosted provider without any is.
  const mayBeEmpty = providerId === 'local-runner' && listed.length === 0;
  if (byId.size === 0 && !mayBeEmpty) return undefined;
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function isSane({ id, name }: CatalogModel): boolean {
  return id.length > 0 && id.length <= LONGEST_ID && name.length <= LONGEST_NAME;
}
