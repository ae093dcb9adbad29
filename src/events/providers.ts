import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { capabilities, failureKinds, providerIds, slotNames, strategies } from '../vocabulary.ts';
import { defineEvent, type EventOf, readerOf } from './definition.ts';

const providerId = lazily(() => z.enum(providerIds));

const modelRef = lazily(() => z.object({ provider: providerId(), model: z.string() }));
export type ModelRef = z.output<ReturnType<typeof modelRef>>;

/** The model that a slot asks, and those that it asks in turn when that one cannot answer. */
const slot = lazily(() => modelRef().extend({ fallbacks: z.array(modelRef()).readonly() }));
export type Slot = z.output<ReturnType<typeof slot>>;

export const catalogModel = lazily(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    contextLength: z.number().nullable(),
    maxOutputTokens: z.number().nullable(),
    capabilities: z.array(z.enum(capabilities)).readonly(),
    pricing: z.object({ inputPer1M: z.number(), outputPer1M: z.number() }).nullable(),
    deprecatedAt: z.string().nullable(),
  }),
);
export type CatalogModel = z.output<ReturnType<typeof catalogModel>>;

/** A provider answered for the first time in this process, or again after it had failed. */
export const providerInitialized = defineEvent('provider.initialized', {
  data: () => z.object({ providerId: providerId(), instanceId: z.string() }),
});

const failureKind = lazily(() => z.enum(failureKinds));
export type ProviderFailureKind = z.output<ReturnType<typeof failureKind>>;

export const providerFailed = defineEvent('provider.failed', {
  data: () =>
    z.object({
      providerId: providerId(),
      kind: failureKind(),
      model: z.string().nullable(),
      status: z.number().nullable(),
      failedAt: z.number(),
    }),
});

/** `credential` is a fingerprint of the key; `model` is null when the credit of the whole key is used up. */
const billed = lazily(() => ({
  providerId: providerId(),
  credential: z.string(),
  model: z.string().nullable(),
}));

/** `probed` when it was known already, and a later try found it unchanged. */
export const billingExhausted = defineEvent('provider.billing.exhausted', {
  data: () => z.object({ ...billed(), exhaustedAt: z.number(), probed: z.boolean() }),
});

/** By whom credit was said to be there again: the user, or a try that was answered. */
export const restorers = ['retry', 'probe'] as const;

export const billingRestored = defineEvent('provider.billing.restored', {
  data: () => z.object({ ...billed(), by: z.enum(restorers) }),
});

/** The catalog was fetched over the network. `models` is left out while they are those of the fetch before. */
export const catalogRefreshed = defineEvent('provider.catalog.refreshed', {
  data: () =>
    z.object({
      providerId: providerId(),
      latencyMs: z.number(),
      fetchedAt: z.number(),
      count: z.number(),
      models: z.array(catalogModel()).readonly().optional(),
    }),
});

/** Asks for a fetch; a schedule may fire it too. All providers, unless it names one. */
export const catalogRefreshRequested = defineEvent('provider.catalog.refresh.requested', {
  data: () => z.looseObject({ providerId: z.unknown().optional() }),
});

const slotTable = lazily(() => z.partialRecord(z.enum(slotNames), slot()));
/** Slots that are not in it are not set. */
export type SlotTable = z.output<ReturnType<typeof slotTable>>;

/** All slots as they are from now on. */
export const slotsChanged = defineEvent('provider.slots.changed', {
  data: () =>
    z.object({
      slots: slotTable(),
      strategy: z.enum(strategies),
      /** `guessed`: on the first start, while no catalog was there; it is chosen again when one is. */
      cause: z.enum(['written', 'auto-configured', 'reset', 'guessed']),
    }),
});

export const providerEvents = [
  providerInitialized,
  providerFailed,
  billingExhausted,
  billingRestored,
  catalogRefreshed,
  catalogRefreshRequested,
  slotsChanged,
] as const;

export type ProviderEvent = EventOf<(typeof providerEvents)[number]>;

/** An event of this area as what it is; undefined for one of another. */
export const readProviderEvent = readerOf(providerEvents);

/** Under which vectors are kept: only those of one model can be compared. */
export function modelName({
  provider,
  model,
}: {
  readonly provider: string;
  readonly model: string;
}): string {
  return `${provider}/${model}`;
}
