import { slots } from '../../../projections/providers/slots.ts';
import { slotNames } from '../../../vocabulary.ts';
import { defineShown } from './shown.ts';

const STRATEGY = 'strategy';

export const shownSlots = defineShown({
  name: 'slots',
  about: 'which models every slot asks',
  key: 'slot',
  projection: slots,
  entries: ({ slots: table, strategy }) => [
    ...Object.entries(table).map(([name, { provider, model, fallbacks }]) => {
      const chain = fallbacks.map((fallback) => `${fallback.provider} ${fallback.model}`).join(', ');
      return [name, { provider, model, fallbacks: chain }] as const;
    }),
    [STRATEGY, { strategy }],
  ],
  // Each change says how all of them are.
  keysOf: () => [...slotNames, STRATEGY],
});
