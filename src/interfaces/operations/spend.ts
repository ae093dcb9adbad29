import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { lazily } from '../../lazily.ts';
import { type ModelUse, spend, spendOf } from '../../projections/providers/spend.ts';
import { viewAtTime } from '../../projections/runtime.ts';
import { providerIds } from '../../vocabulary.ts';
import type { Kvstore, OwnState } from '../kvstore.ts';
import { type AnyOperation, defineOperation, moment, written } from '../operation.ts';
import { labelOf, providerLabel } from '../providerNaming.ts';

const DAY_MS = 86_400_000;

const counted = lazily(() =>
  z.object({
    requests: z.int().describe('A turn makes one for each of its steps'),
    inputTokens: z.number(),
    outputTokens: z.number(),
    usd: z.number().nullable().describe('At the prices that the catalogs had then; null where none had one'),
  }),
);
const ofModel = lazily(() =>
  counted().extend({ provider: z.enum(providerIds), label: providerLabel(), model: z.string() }),
);
type OfModel = z.output<ReturnType<typeof ofModel>>;

interface SpendOptions {
  readonly own: OwnState;
  readonly kvstore: Kvstore;
  readonly clock: Clock;
}

export function spendOperations({ own, kvstore, clock }: SpendOptions): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'billing.spend',
      area: 'billing',
      device: 'never',
      summary: 'What the turns of the user have asked of models, by day, model and session',
      description:
        'Of the last `days` days, in UTC, oldest first; days without a request are left out. `sessions` are the ' +
        'hundred that were last spoken in, newest first, each with all that it asked. With `at`, up to that moment. ' +
        'What is asked in the background, as to consolidate memory, is not among it, nor a step that was broken off.',
      rest: { method: 'GET', path: '/api/spend' },
      input: () =>
        z.object({
          days: written(z.coerce.number().int().min(1).max(400)).default(30),
          at: moment(),
        }),
      output: () =>
        z.object({
          total: counted(),
          days: z
            .array(counted().extend({ day: z.string(), models: z.array(ofModel()).readonly() }))
            .readonly(),
          models: z.array(ofModel()).readonly(),
          sessions: z.array(counted().extend({ sessionId: z.string(), lastAt: z.number() })).readonly(),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { days: 7 } },
      async run({ days: most, at }, { userId }) {
        const state =
          at === undefined
            ? own.connected().views.view(spend)
            : await viewAtTime(kvstore.reachable().store, spend, { userId }, at);
        const { days, sessions } = spendOf(state, userId);
        const first = new Date((at ?? clock()) - (most - 1) * DAY_MS).toISOString().slice(0, 10);
        const wanted = days
          .filter(({ day }) => day >= first)
          .sort((one, other) => (one.day < other.day ? -1 : 1))
          .map(({ day, models }) => ({ day, models: models.map(toWire) }));
        return {
          total: sum(wanted.flatMap(({ models }) => models)),
          days: wanted.map((one) => ({ ...one, ...sum(one.models) })),
          models: byModel(wanted.flatMap(({ models }) => models)),
          sessions: sessions
            .map(({ sessionId, lastAt, models }) => ({ sessionId, lastAt, ...sum(models) }))
            .reverse(),
        };
      },
    }),
  ];
}

function toWire(asked: ModelUse): OfModel {
  return { ...asked, label: labelOf(asked.provider) };
}

type Counted = z.output<ReturnType<typeof counted>>;

/** Null where the price of nothing is known; else what is known of it. */
function sum(all: readonly Counted[]): Counted {
  const total = (field: 'requests' | 'inputTokens' | 'outputTokens') =>
    all.reduce((sum, one) => sum + one[field], 0);
  const prices = all.flatMap(({ usd }) => usd ?? []);
  const usd = all.length > 0 && prices.length === 0 ? null : prices.reduce((one, other) => one + other, 0);
  return {
    requests: total('requests'),
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    usd,
  };
}

function byModel(all: readonly OfModel[]): readonly OfModel[] {
  const groups = Map.groupBy(all, ({ provider, model }) => `${provider} ${model}`);
  return Array.from(groups.values())
    .flatMap((group) => group.slice(0, 1).map((one) => ({ ...one, ...sum(group) })))
    .sort((one, other) => (other.usd ?? 0) - (one.usd ?? 0) || other.requests - one.requests);
}
