import { type ModelRef, type SlotTable, slotsChanged } from '../../events/providers.ts';
import { providerNamed, type SlotName, type Strategy } from '../../vocabulary.ts';
import { defineProjection } from '../projection.ts';

export interface SlotsView {
  slots: SlotTable;
  strategy: Strategy;
}

/** Which models every slot asks. */
export const slots = defineProjection({
  name: 'providers.slots',
  version: 1,
  handles: [slotsChanged],
  initial: (): SlotsView => ({ slots: {}, strategy: 'cloud-backup' }),
  apply(state, { data }) {
    state.slots = data.slots;
    state.strategy = data.strategy;
  },
});

/** What `SERVICE_CONSOLIDATION_PROVIDER` and `SERVICE_CONSOLIDATION_MODEL` say. */
export interface LegacyVariables {
  readonly SERVICE_CONSOLIDATION_PROVIDER?: string | undefined;
  readonly SERVICE_CONSOLIDATION_MODEL?: string | undefined;
}

export interface ResolvedSlot {
  /** Whose chain it is: that of the slot itself, or of what it falls back to. */
  readonly from: SlotName | 'legacy';
  /** The models to ask, in order. */
  readonly chain: readonly [ModelRef, ...ModelRef[]];
}

/**
 * The chain that counts for a slot. One that is not set falls back: `maintenance` to `consolidation`, that to
 * the legacy variables, and all to `chat`; but nothing stands in for `embedding`, because `chat` embeds nothing.
 * Undefined when there is nothing to ask.
 */
export function resolveSlot(
  table: SlotTable,
  name: SlotName,
  legacy: LegacyVariables = {},
): ResolvedSlot | undefined {
  const own = chainOf(table, name);
  if (own || name === 'embedding' || name === 'chat') return own;
  if (name === 'maintenance') return resolveSlot(table, 'consolidation', legacy);
  return (name === 'consolidation' ? chainOfLegacy(legacy) : undefined) ?? chainOf(table, 'chat');
}

function chainOf(table: SlotTable, name: SlotName): ResolvedSlot | undefined {
  const slot = table[name];
  if (!slot) return undefined;
  return { from: name, chain: [{ provider: slot.provider, model: slot.model }, ...slot.fallbacks] };
}

function chainOfLegacy(variables: LegacyVariables): ResolvedSlot | undefined {
  const { SERVICE_CONSOLIDATION_PROVIDER: named, SERVICE_CONSOLIDATION_MODEL: model } = variables;
  const provider = providerNamed(named);
  return provider && model ? { from: 'legacy', chain: [{ provider, model }] } : undefined;
}
