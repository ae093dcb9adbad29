import type { ModelRef } from '../../events/providers.ts';
import type { ProviderClient } from '../../gateways/models/clients.ts';
import { type BillingState, exhaustionOf } from '../../projections/providers/billing.ts';
import type { ConfiguredProviders } from './ports.ts';

export interface ModelCandidate extends ModelRef {
  /** The client of this moment: a key that is exchanged meanwhile does not disturb what runs. */
  readonly client: ProviderClient;
  /** Its credit was used up when last seen; an answer shows that there is some again. */
  readonly probe: boolean;
}

interface Known {
  /** The user asks for this very model: it is tried even where its credit was used up. */
  readonly wanted?: ModelRef | undefined;
  readonly billing: BillingState;
}

export interface Candidates {
  readonly models: readonly ModelCandidate[];
  /** Models that were left out because their credit is used up. */
  readonly exhausted: readonly ModelRef[];
}

/** Whom of these to ask, in their order: each once, less what has no key and what is known to have no credit. */
export async function candidatesAmong(
  refs: readonly ModelRef[],
  { wanted, billing }: Known,
  clients: ConfiguredProviders,
): Promise<Candidates> {
  const models: ModelCandidate[] = [];
  const exhausted: ModelRef[] = [];
  for (const ref of refs) {
    if (models.some((earlier) => isSame(earlier, ref))) continue;
    const client = await clients.clientFor(ref.provider);
    if (!client) continue;
    const exhaustion = exhaustionOf(billing, ref.provider, client.credential, ref.model);
    const isWanted = wanted !== undefined && isSame(wanted, ref);
    if (exhaustion && !isWanted) exhausted.push(ref);
    else models.push({ ...ref, client, probe: exhaustion !== undefined });
  }
  return { models, exhausted };
}

export function isSame(one: ModelRef, other: ModelRef): boolean {
  return one.provider === other.provider && one.model === other.model;
}
