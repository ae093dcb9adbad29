import { isDeepStrictEqual } from 'node:util';
import { HarkError } from '../../errors.ts';
import { type EventOf, isEvent, type NewEvent } from '../../events/definition.ts';
import { type ProviderEvent, type Slot, type SlotTable, slotsChanged } from '../../events/providers.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import type { Issue } from '../../schemas/jsonSchema.ts';
import type { SlotName, Strategy } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { areGuessed, chooseSlots, type Wish } from './choosing/chooseSlots.ts';
import type { Offer } from './choosing/offer.ts';
import { readSlots } from './readSlots.ts';
import { type KnownCatalogs, reviewSlots } from './reviewSlots.ts';

interface SlotsState {
  readonly slots: SlotTable;
  readonly strategy: Strategy;
  /** By rule, all at once: after that, a slot that is not set is meant to be unset. */
  readonly wereChosen: boolean;
  /** That was while no catalog was there. */
  readonly areGuessed: boolean;
}

/** As long as nobody has chosen: what a chain is there for. */
const DEFAULT_STRATEGY: Strategy = 'cloud-backup';

const slotsState: StreamFold<SlotsState> = {
  name: 'slots',
  version: 3,
  initial: { slots: {}, strategy: DEFAULT_STRATEGY, wereChosen: false, areGuessed: false },
  evolve(state: SlotsState, event: NewEvent): SlotsState {
    if (!isEvent(event, slotsChanged)) return state;
    const { slots, strategy, cause } = event.data;
    const wereChosen = state.wereChosen || cause !== 'written';
    return { slots, strategy, wereChosen, areGuessed: cause === 'guessed' };
  },
};

export function slotsStream(): string {
  return 'slots';
}

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
    return changed(state, slots, strategy, 'written');
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

interface Configure {
  readonly wish: Wish;
  readonly offer: Offer;
}

/** Sets every slot by rule, whatever it was. */
export const autoConfigureSlots = defineCommand<Configure, SlotsState>({
  name: 'providers.autoConfigureSlots',
  state: slotsState,
  scope: 'system',
  stream: slotsStream,
  decide: (state, { wish, offer }, { now }) =>
    changed(state, chooseSlots(wish, offer, now).slots, wish.strategy, 'auto-configured'),
});

interface ConfigureFirst extends Configure {
  /** What somebody wrote while this was found out. */
  readonly written: { readonly slots: ReadonlySet<string>; readonly strategy: boolean };
}

/**
 * The same on the first start: what somebody wrote meanwhile stays, and the other slots are set beside it. What had to
 * be guessed is chosen again by the catalogs that are there now.
 */
export const configureFirstSlots = defineCommand<ConfigureFirst, SlotsState>({
  name: 'providers.configureFirstSlots',
  state: slotsState,
  scope: 'system',
  stream: slotsStream,
  decide(state, { wish, offer, written }, { now }) {
    if (state.slots.chat && state.wereChosen && !state.areGuessed) return [];
    const chosen = Object.entries(chooseSlots(wish, offer, now).slots);
    const kept = state.areGuessed ? {} : state.slots;
    const slots = { ...Object.fromEntries(chosen.filter(([name]) => !written.slots.has(name))), ...kept };
    const isGuess = Object.keys(kept).length === 0 && areGuessed(slots);
    const strategy = written.strategy ? state.strategy : wish.strategy;
    return changed(state, slots, strategy, isGuess ? 'guessed' : 'auto-configured');
  },
});

/** Back to what a first start would choose; with nothing to choose from, `chat` stays, since it is required. */
export const resetSlots = defineCommand<{ readonly configure: Configure | undefined }, SlotsState>({
  name: 'providers.resetSlots',
  state: slotsState,
  scope: 'system',
  stream: slotsStream,
  decide(state, { configure }, { now }) {
    const { chat } = state.slots;
    if (!configure) return changed(state, chat ? { chat } : {}, DEFAULT_STRATEGY, 'reset');
    const { wish, offer } = configure;
    return changed(state, chooseSlots(wish, offer, now).slots, wish.strategy, 'reset');
  },
});

function changed(
  state: SlotsState,
  slots: SlotTable,
  strategy: Strategy,
  cause: EventOf<typeof slotsChanged>['data']['cause'],
): ProviderEvent[] {
  return isDeepStrictEqual(state.slots, slots) && state.strategy === strategy
    ? []
    : [{ type: slotsChanged.type, data: { slots, strategy, cause } }];
}
