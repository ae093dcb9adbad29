import { isDeepStrictEqual } from 'node:util';
import { HarkError } from '../../errors.ts';
import { type ProviderEvent, type Slot, type SlotTable, slotsChanged } from '../../events/providers.ts';
import type { Issue } from '../../schemas/jsonSchema.ts';
import type { SlotName, Strategy } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { readSlots } from './readSlots.ts';
import { type KnownCatalogs, reviewSlots } from './reviewSlots.ts';
import { type SlotsState, slotsState, slotsStream } from './slotsState.ts';

interface ChangeSlots {
  /** By name, as they came; null takes a slot away. Those that are not named stay as they are. */
  readonly slots: Readonly<Record<string, unknown>>;
  readonly strategy?: Strategy;
  readonly catalogs: KnownCatalogs;
}

export const changeSlots = defineCommand<ChangeSlots, SlotsState>({
  name: 'providers.changeSlots',
  state: slotsState,
  scope: 'system',
  stream: slotsStream,
  /** All or nothing: one wrong slot refuses the whole change, and every one of them is named. */
  decide(state, { slots: given, strategy = state.strategy, catalogs }, { now }): ProviderEvent[] {
    const { changes, issues: malformed } = readSlots(given);
    const { issues: gone } = reviewSlots(changes, catalogs, now);
    const slots = merge(state.slots, changes);
    const issues: Issue[] = [...malformed, ...gone];
    if (!slots.chat && issues.length === 0)
      issues.push({ path: ['slots', 'chat'], message: 'chat is required' });
    if (issues.length > 0) throw new HarkError('VALIDATION_FAILED', { body: { issues } });
    return isDeepStrictEqual(state, { slots, strategy })
      ? []
      : [{ type: slotsChanged.type, data: { slots, strategy, cause: 'written' } }];
  },
});

function merge(slots: SlotTable, changes: ReadonlyMap<SlotName, Slot | null>): SlotTable {
  const merged: SlotTable = { ...slots };
  for (const [name, slot] of changes) {
    if (slot) merged[name] = slot;
    else delete merged[name];
  }
  return merged;
}
