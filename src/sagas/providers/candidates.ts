import type { ModelRef } from '../../events/providers.ts';
import { type BillingState, exhaustionOf } from '../../projections/providers/billing.ts';
import {
  type LegacyVariables,
  mayTakeOver,
  resolveSlot,
  type SlotsView,
} from '../../projections/providers/slots.ts';
import type { SlotName, Strategy } from '../../vocabulary.ts';
import type { ProviderClient, ProviderClients } from './ports.ts';

/** Used-up credit is tried again after this long: it may have been topped up without anybody telling us. */
const PROBE_AFTER_MS = 10 * 60_000;

export interface Candidate extends ModelRef {
  /** The client of this moment: a key that is exchanged meanwhile does not disturb what runs. */
  readonly client: ProviderClient;
  /** Not the model that the slot names first. */
  readonly fallback: boolean;
  /** Its credit was used up when last seen; an answer shows that there is some again. */
  readonly probe: boolean;
}

interface Asked {
  readonly slot: SlotName;
  /** The user asks for this very model: it goes first, and is tried even where its credit was used up. */
  readonly wanted?: ModelRef | undefined;
  readonly legacy: LegacyVariables;
  readonly now: number;
}

/** What is known of slots and credit at this moment. */
export interface Known {
  readonly slots: SlotsView;
  readonly billing: BillingState;
}

export interface Candidates {
  readonly strategy: Strategy;
  readonly models: readonly Candidate[];
  /** Models that were left out because their credit is used up. */
  readonly exhausted: readonly ModelRef[];
}

/** Whom to ask, in order: the slot's chain, less what has no key and what is known to have no credit. */
export async function candidatesFor(
  { slot, wanted, legacy, now }: Asked,
  { slots: { slots: table, strategy }, billing }: Known,
  clients: ProviderClients,
): Promise<Candidates> {
  const chain = resolveSlot(table, slot, legacy)?.chain ?? [];
  const models: Candidate[] = [];
  const exhausted: ModelRef[] = [];
  for (const [index, ref] of (wanted ? [wanted, ...chain] : chain).entries()) {
    if (models.some((earlier) => isSame(earlier, ref))) continue;
    const client = await clients.clientFor(ref.provider);
    if (!client) continue;
    const exhaustion = exhaustionOf(billing, ref.provider, client.credential, ref.model);
    const isWanted = wanted !== undefined && isSame(wanted, ref);
    if (exhaustion && !isWanted && now - exhaustion.probedAt < PROBE_AFTER_MS) exhausted.push(ref);
    else if (exhausted.length === 0 || mayTakeOver(strategy, ref))
      models.push({ ...ref, client, fallback: index > 0, probe: exhaustion !== undefined });
  }
  return { strategy, models, exhausted };
}

function isSame(one: ModelRef, other: ModelRef): boolean {
  return one.provider === other.provider && one.model === other.model;
}
