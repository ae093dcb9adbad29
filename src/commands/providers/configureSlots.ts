import { isDeepStrictEqual } from 'node:util';
import { type ProviderEvent, type SlotTable, slotsChanged } from '../../events/providers.ts';
import type { Strategy } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { chooseSlots, type Wish } from './choosing/chooseSlots.ts';
import type { Offer } from './choosing/offer.ts';
import { DEFAULT_STRATEGY, type SlotsState, slotsState, slotsStream } from './slotsState.ts';

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

/** The same on the first start: whoever has chosen meanwhile keeps what he chose. */
export const configureFirstSlots = defineCommand<Configure, SlotsState>({
  name: 'providers.configureFirstSlots',
  state: slotsState,
  scope: 'system',
  stream: slotsStream,
  decide: (state, input, surroundings) =>
    state.slots.chat ? [] : [...autoConfigureSlots.decide(state, input, surroundings)],
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
  cause: 'auto-configured' | 'reset',
): ProviderEvent[] {
  return isDeepStrictEqual(state, { slots, strategy })
    ? []
    : [{ type: slotsChanged.type, data: { slots, strategy, cause } }];
}
