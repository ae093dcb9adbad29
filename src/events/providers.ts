import { z } from 'zod';
import { capabilities, failureKinds, providerIds, slotNames, strategies } from '../vocabulary.ts';
import { defineEvent, type EventOf, readerOf } from './definition.ts';

const providerId = z.enum(providerIds);

const modelRef = z.object({ provider: providerId, model: z.string() });
export type ModelRef = z.output<typeof modelRef>;

/** The model that a slot asks, and those that it asks in turn when that one cannot answer. */
const slot = modelRef.extend({ fallbacks: z.array(modelRef).readonly() });
export type Slot = z.output<typeof slot>;

export const catalogModel = z.object({
  id: z.string(),
  name: z.string(),
  contextLength: z.number().nullable(),
  maxOutputTokens: z.number().nullable(),
  capabilities: z.array(z.enum(capabilities)).readonly(),
  pricing: z.object({ inputPer1M: z.number(), outputPer1M: z.number() }).nullable(),
  deprecatedAt: z.string().nullable(),
});
export type CatalogModel = z.output<typeof catalogModel>;

/** A provider answered for the first time in this process, or again after it had failed. */
export const providerInitialized = defineEvent('provider.initialized', {
  data: z.object({ providerId, instanceId: z.string() }),
});

const failureKind = z.enum(failureKinds);
export type ProviderFailureKind = z.output<typeof failureKind>;

export const providerFailed = defineEvent('provider.failed', {
  data: z.object({
    providerId,
    kind: failureKind,
    model: z.string().nullable(),
    status: z.number().nullable(),
    failedAt: z.number(),
  }),
});

/** `credential` is a fingerprint of the key; `model` is null when the credit of the whole key is used up. */
const billed = { providerId, credential: z.string(), model: z.string().nullable() };

/** `probed` when it was known already, and a later try found it unchanged. */
export const billingExhausted = defineEvent('provider.billing.exhausted', {
  data: z.object({ ...billed, exhaustedAt: z.number(), probed: z.boolean() }),
});

/** By whom credit was said to be there again: the user, or a try that was answered. */
export const restorers = ['retry', 'probe'] as const;

export const billingRestored = defineEvent('provider.billing.restored', {
  data: z.object({ ...billed, by: z.enum(restorers) }),
});

/** The catalog was fetched over the network. `models` is left out while they are those of the fetch before. */
export const catalogRefreshed = defineEvent('provider.catalog.refreshed', {
  data: z.object({
    providerId,
    latencyMs: z.number(),
    fetchedAt: z.number(),
    count: z.number(),
    models: z.array(catalogModel).readonly().optional(),
  }),
});

/** Asks for a fetch; a schedule may fire it too. All providers, unless it names one. */
export const catalogRefreshRequested = defineEvent('provider.catalog.refresh.requested', {
  data: z.looseObject({ providerId: z.unknown().optional() }),
});

const slotTable = z.partialRecord(z.enum(slotNames), slot);
/** Slots that are not in it are not set. */
export type SlotTable = z.output<typeof slotTable>;

/** All slots as they are from now on. */
export const slotsChanged = defineEvent('provider.slots.changed', {
  data: z.object({
    slots: slotTable,
    strategy: z.enum(strategies),
    cause: z.enum(['written', 'auto-configured', 'reset']),
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
