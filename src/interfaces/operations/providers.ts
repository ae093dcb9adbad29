import { z } from 'zod';
import type { Accounts } from '../../application/providers/billingStatus.ts';
import type { Catalogs } from '../../application/providers/catalogs.ts';
import { providerStream } from '../../commands/providers/state.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { catalogs as kept } from '../../projections/providers/catalogs.ts';
import { viewAtTime } from '../../projections/runtime.ts';
import type { EventReader } from '../../store/port.ts';
import { capabilities, providerIds, providerNamed } from '../../vocabulary.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineOperation, id, moment } from '../operation.ts';
import { labelOf, providerLabel } from '../providerNaming.ts';

const area = 'providers';

const model = lazily(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    contextLength: z.number().nullable(),
    maxOutputTokens: z.number().nullable(),
    capabilities: z.array(z.enum(capabilities)).readonly(),
    pricing: z.object({ inputPer1M: z.number(), outputPer1M: z.number() }).nullable().describe('USD'),
    deprecatedAt: z.string().nullable().describe('ISO date from which it is no longer served'),
  }),
);

const wanted = lazily(() =>
  z
    .string()
    .transform((list) => list.split(',').map((word) => word.trim()))
    .pipe(z.array(z.enum(capabilities)))
    .describe(`Comma-separated; a model needs all of them. There are ${capabilities.join(', ')}`),
);

const catalog = lazily(() =>
  z.object({
    providerId: z.enum(providerIds),
    label: providerLabel(),
    models: z.array(model()).readonly(),
    latencyMs: z.number(),
    fetchedAt: z.number(),
    stale: z.literal(true).optional().describe('A newer one was not available'),
  }),
);

interface ProviderDependencies {
  readonly catalogs: Catalogs;
  readonly accounts: Accounts;
  readonly kvstore: Pick<Kvstore, 'reachable'>;
}

export function providerOperations({
  catalogs,
  accounts,
  kvstore,
}: ProviderDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'providers.catalog',
      area,
      device: 'never',
      summary: 'The models of every configured provider',
      description:
        'Cached for an hour, unless set otherwise. A provider that does not answer shows its last good catalog, ' +
        'marked `stale`; one that has never answered is left out. With `at`, the last that each had told by then.',
      rest: { method: 'GET', path: '/api/providers/catalog' },
      input: () =>
        z.object({
          refresh: z.enum(['0', '1', 'true', 'false']).optional().describe('1 asks the providers now'),
          capability: wanted().optional(),
          at: moment(),
        }),
      output: () =>
        z.object({
          providers: z.array(catalog()),
          count: z.int(),
          providerIds: z.array(z.enum(providerIds)),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { refresh: '1', capability: 'tool-use,vision' } },
      async run({ refresh, capability = [], at }) {
        const found = await (at === undefined
          ? catalogs.all({ refresh: refresh === '1' || refresh === 'true' })
          : catalogsAt(kvstore.reachable().store, at));
        const providers = found.map(({ isCurrent, models, ...facts }) => ({
          ...facts,
          label: labelOf(facts.providerId),
          models: models.filter(({ capabilities: has }) => capability.every((one) => has.includes(one))),
          ...(isCurrent ? {} : { stale: true as const }),
        }));
        return {
          providers,
          count: providers.length,
          providerIds: providers.map(({ providerId }) => providerId),
        };
      },
    }),
    defineOperation({
      name: 'providers.account',
      area,
      device: 'never',
      summary: 'The credit that is left with a provider',
      rest: { method: 'GET', path: '/api/providers/:providerId/account' },
      input: () => z.object({ providerId: id() }),
      output: () => z.object({ creditBalance: z.number(), creditCurrency: z.string() }),
      errors: ['PROVIDER_NOT_CONFIGURED', 'ACCOUNT_UNKNOWN', 'PROVIDER_UNAVAILABLE'],
      example: { input: { providerId: 'gateway' } },
      async run({ providerId: named }) {
        const providerId = providerNamed(named);
        if (!providerId) throw new HarkError('PROVIDER_NOT_CONFIGURED');
        return accounts.of(providerId);
      },
    }),
  ];
}

async function catalogsAt(store: EventReader, at: number) {
  const streams = providerIds.map((providerId) => providerStream({ providerId }));
  const { byProvider } = await viewAtTime(store, kept, { streams }, at);
  return providerIds.flatMap((providerId) => {
    const catalog = byProvider[providerId];
    return catalog ? [{ ...catalog, providerId, isCurrent: true }] : [];
  });
}
