import { isEvent, type NewEvent } from '../../events/definition.ts';
import { type SlotTable, slotsChanged } from '../../events/providers.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import type { Strategy } from '../../vocabulary.ts';

export interface SlotsState {
  readonly slots: SlotTable;
  readonly strategy: Strategy;
}

/** As long as nobody has chosen: what a chain is there for. */
export const DEFAULT_STRATEGY: Strategy = 'cloud-backup';

export const slotsState: StreamFold<SlotsState> = {
  name: 'slots',
  version: 1,
  initial: { slots: {}, strategy: DEFAULT_STRATEGY },
  evolve(state: SlotsState, event: NewEvent): SlotsState {
    if (!isEvent(event, slotsChanged)) return state;
    const { slots, strategy } = event.data;
    return { slots, strategy };
  },
};

export function slotsStream(): string {
  return 'slots';
}
