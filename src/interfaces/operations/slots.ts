import { z } from 'zod';
import { modes } from '../../commands/providers/choosing/chooseSlots.ts';
import { cloudProviders } from '../../commands/providers/choosing/offer.ts';
import { lazily } from '../../lazily.ts';
import { slotNames, strategies } from '../../vocabulary.ts';
import { type AnyOperation, defineOperation, moment } from '../operation.ts';
import { providerAmong } from '../providerNaming.ts';
import { type Slots, slotsAt, slotsView, slotTable, viewSlots } from '../slotView.ts';

const area = 'slots';
const nothing = lazily(() => z.object({}));

const warnings = lazily(() =>
  z
    .array(
      z.object({
        slot: z.enum(slotNames),
        provider: z.string(),
        model: z.string(),
        kind: z.enum(['model-unknown', 'model-deprecated', 'catalog-unavailable']),
        message: z.string(),
      }),
    )
    .readonly()
    .optional(),
);

const example = { chat: { provider: 'local-runner', model: 'llama3.2' } };

export function slotOperations(slots: Slots): readonly AnyOperation[] {
  const { book } = slots;
  return [
    defineOperation({
      name: 'slots.get',
      area,
      device: 'never',
      summary: 'The models of every slot, and which of them would answer now',
      description:
        'A slot that is null falls back to `chat`; `maintenance` to `consolidation` first, and that to the ' +
        'legacy variables. `embedding` has no fallback. The chain is followed whatever the reason why its ' +
        'first model is down. When credit is used up, the strategy adds backups after the chain: `cloud-backup` the ' +
        'best model of each configured cloud that is not in it, `ollama-local` the best of the local runner, `none` ' +
        'none. The status says why a first model is down, and which model answers in its place.',
      rest: { method: 'GET', path: '/api/slots' },
      input: () => z.object({ at: moment() }),
      output: slotsView,
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      run: ({ at }) => (at === undefined ? viewSlots(slots) : slotsAt(slots, at)),
    }),
    defineOperation({
      name: 'slots.change',
      area,
      device: 'never',
      summary: 'Sets slots; slots that are not named stay, and null unsets one',
      description:
        'All or nothing. Each model is checked against the catalog of its provider: one that is no longer served ' +
        'is refused; `warnings` names one that is unknown, ends later, or whose catalog is not available. ' +
        '`chat` is required. A chain has at most five fallbacks, and no model twice.',
      rest: { method: 'PUT', path: '/api/slots', isPowerful: true },
      input: () =>
        z.object({
          slots: z
            .record(z.string(), z.unknown())
            .describe('By name: null, or {provider, model, fallbacks?: [{provider, model}]}'),
          strategy: z
            .enum(strategies)
            .optional()
            .describe('Which models are asked after the chain when credit is used up'),
        }),
      output: () => z.object({ slots: slotTable(), warnings: warnings() }),
      errors: ['VALIDATION_FAILED', 'KVSTORE_UNAVAILABLE'],
      example: { input: { slots: example } },
      async run({ slots: given, strategy }, caller) {
        const change = { slots: given, ...(strategy === undefined ? {} : { strategy }) };
        const found = await book.change(change, caller);
        const { slots: shown } = await viewSlots(slots);
        return { slots: shown, ...(found.length > 0 ? { warnings: found } : {}) };
      },
    }),
    defineOperation({
      name: 'slots.autoConfigure',
      area,
      device: 'never',
      summary: 'Configures every slot by rule, from the abilities and prices in the catalogs',
      description:
        '`cloud` takes the models of `provider`, `local` those of the local runner, and `hybrid` the models of ' +
        '`provider` but for small and frequent work. `fallbackStrategy` makes the chains: `cloud-backup` of every ' +
        'other configured cloud, `ollama-local` of the local runner, `none` of nothing. In `local`, nothing leaves ' +
        'the machine unless the strategy is `cloud-backup`. `warnings` names catalogs that are not available.',
      rest: { method: 'POST', path: '/api/slots/auto-configure', isPowerful: true },
      input: () =>
        z.object({
          mode: z.enum(modes),
          provider: providerAmong(cloudProviders).default(cloudProviders[0]),
          fallbackStrategy: z.enum(strategies),
        }),
      output: () => slotsView().extend({ warnings: warnings() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { mode: 'hybrid', provider: 'cloud-a', fallbackStrategy: 'ollama-local' } },
      async run({ mode, provider, fallbackStrategy }, caller) {
        const found = await book.autoConfigure({ mode, provider, strategy: fallbackStrategy }, caller);
        return { ...(await viewSlots(slots)), ...(found.length > 0 ? { warnings: found } : {}) };
      },
    }),
    defineOperation({
      name: 'slots.reset',
      area,
      device: 'never',
      summary: 'Sets the slots to what a first start would choose',
      description: 'While there is no provider to choose from, `chat` stays and the others are unset.',
      rest: { method: 'POST', path: '/api/slots/reset', isPowerful: true },
      input: nothing,
      output: () => z.object({ success: z.literal(true), slots: slotTable() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run(_input, caller) {
        await book.reset(caller);
        return { success: true as const, slots: (await viewSlots(slots)).slots };
      },
    }),
  ];
}
