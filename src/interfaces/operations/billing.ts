import { z } from 'zod';
import { type BillingStatus, billingUrls } from '../../application/providers/billingStatus.ts';
import { providerStream } from '../../commands/providers/state.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { billing } from '../../projections/providers/billing.ts';
import { catalogs } from '../../projections/providers/catalogs.ts';
import { viewAtTime } from '../../projections/runtime.ts';
import { type ProviderId, providerIds, providerNamed, strategies } from '../../vocabulary.ts';
import { type AnyOperation, defineOperation, id, moment } from '../operation.ts';
import { labelOf, providerLabel } from '../providerNaming.ts';
import { type Slots, slotsAt, slotTable, viewSlots } from '../slotView.ts';

const area = 'billing';

const providerBilling = lazily(() =>
  z.object({
    label: providerLabel(),
    exhausted: z.boolean(),
    models: z.array(z.string()).optional().describe('Those whose credit alone is used up'),
    since: z.number().optional(),
    balance: z.number().optional(),
    currency: z.string().optional(),
    billingUrl: z.string(),
    fallbackActive: z
      .boolean()
      .exactOptional()
      .describe(
        'Another answers for a slot because its credit is used up; left out of the past, as is the balance',
      ),
    fallbackTarget: z.enum(providerIds).optional().describe('Who that is, for `chat` before other slots'),
  }),
);

interface BillingDependencies {
  readonly status: BillingStatus;
  readonly slots: Slots;
}

export function billingOperations({ status, slots }: BillingDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'billing.status',
      area,
      device: 'never',
      summary: 'Which credit is used up, and which model takes over',
      rest: { method: 'GET', path: '/api/billing/status' },
      input: () => z.object({ at: moment() }),
      output: () =>
        z.object({
          providers: z.partialRecord(z.enum(providerIds), providerBilling()),
          strategy: z.enum(strategies),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run({ at }) {
        if (at !== undefined) return statusAt(slots, at);
        const ids = await status.configured();
        const shown = async (one: ProviderId) => ({ label: labelOf(one), ...(await status.of(one)) });
        const entries = await Promise.all(ids.map(async (one) => [one, await shown(one)] as const));
        return { providers: Object.fromEntries(entries), strategy: slots.book.view().strategy };
      },
    }),
    defineOperation({
      name: 'billing.retry',
      area,
      device: 'never',
      summary: 'Makes hark ask a provider again after credit was added',
      rest: { method: 'POST', path: '/api/billing/retry/:providerId' },
      input: () => z.object({ providerId: id() }),
      output: () =>
        z.object({
          success: z.literal(true),
          providerId: z.enum(providerIds),
          slots: slotTable(),
        }),
      errors: ['PROVIDER_NOT_CONFIGURED', 'KVSTORE_UNAVAILABLE'],
      example: { input: { providerId: 'local-runner' } },
      async run({ providerId: named }, caller) {
        const providerId = known(await status.configured(), named);
        await status.retry(providerId, caller);
        return { success: true as const, providerId, slots: (await viewSlots(slots)).slots };
      },
    }),
  ];
}

/** Of every provider that had answered by then, whichever key it was asked with. */
async function statusAt(slots: Slots, at: number) {
  const { store } = slots.kvstore.reachable();
  const of = { streams: providerIds.map((providerId) => providerStream({ providerId })) };
  const [used, listed, { strategy }] = await Promise.all([
    viewAtTime(store, billing, of, at),
    viewAtTime(store, catalogs, of, at),
    slotsAt(slots, at),
  ]);
  const entries = providerIds.flatMap((one) => {
    const { exhaustions = [] } = used.byProvider[one] ?? {};
    if (!listed.byProvider[one] && exhaustions.length === 0) return [];
    const models = exhaustions.flatMap(({ model }) => model ?? []);
    const whole = exhaustions.findLast(({ model }) => model === null);
    const facts = { label: labelOf(one), exhausted: whole !== undefined, billingUrl: billingUrls[one] };
    return [
      [one, { ...facts, ...(models.length > 0 ? { models } : {}), ...(whole ? { since: whole.since } : {}) }],
    ];
  });
  return { providers: Object.fromEntries(entries), strategy };
}

function known(configured: readonly ProviderId[], named: string): ProviderId {
  const providerId = configured.find((one) => one === providerNamed(named));
  if (!providerId) throw new HarkError('PROVIDER_NOT_CONFIGURED');
  return providerId;
}
