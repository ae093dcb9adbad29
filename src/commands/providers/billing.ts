import {
  billingExhausted,
  billingRestored,
  type ProviderEvent,
  type ProviderFailureKind,
  providerFailed,
  type restorers,
} from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { isOf, type ProviderState, providerState, providerStream, type UsedUpCredit } from './state.ts';

/** The same failure within this time is not told again: an outage must not fill the log. */
const FAILURE_TOLD_EVERY_MS = 60_000;

interface RecordFailure {
  readonly providerId: ProviderId;
  readonly kind: ProviderFailureKind;
  readonly model: string | null;
  readonly status: number | null;
}

export const recordFailure = defineCommand<RecordFailure, ProviderState>({
  name: 'providers.recordFailure',
  state: providerState,
  scope: 'system',
  stream: providerStream,
  decide({ failure }, { providerId, kind, model, status }, { now }): ProviderEvent[] {
    const isSame = failure?.kind === kind && failure.model === model && failure.status === status;
    if (isSame && now - failure.failedAt < FAILURE_TOLD_EVERY_MS) return [];
    return [{ type: providerFailed.type, data: { providerId, kind, model, status, failedAt: now } }];
  },
});

/** A try sooner than this after the last tells nothing new. */
const EXHAUSTION_TOLD_EVERY_MS = 60_000;

interface ExhaustBilling {
  readonly providerId: ProviderId;
  /** Fingerprint of the key, never the key. */
  readonly credential: string;
  /** Null when the credit of the whole key is used up. */
  readonly model: string | null;
}

export const exhaustBilling = defineCommand<ExhaustBilling, ProviderState>({
  name: 'providers.exhaustBilling',
  state: providerState,
  scope: 'system',
  stream: providerStream,
  decide({ exhaustions }, { providerId, credential, model }, { now }): ProviderEvent[] {
    const before = exhaustions.find((exhaustion) => isOf(exhaustion, credential, model));
    if (before && now - before.exhaustedAt < EXHAUSTION_TOLD_EVERY_MS) return [];
    const data = { providerId, credential, model, exhaustedAt: now, probed: before !== undefined };
    return [{ type: billingExhausted.type, data }];
  },
});

interface RestoreBilling {
  readonly providerId: ProviderId;
  readonly by: (typeof restorers)[number];
  /** What was answered for: that model and the key as a whole. Without it, all keys and models. */
  readonly answered?: { readonly credential: string; readonly model: string };
}

export const restoreBilling = defineCommand<RestoreBilling, ProviderState>({
  name: 'providers.restoreBilling',
  state: providerState,
  scope: 'system',
  stream: providerStream,
  decide({ exhaustions }, { providerId, by, answered }): ProviderEvent[] {
    const isOver = ({ credential, model }: UsedUpCredit) =>
      !answered || (answered.credential === credential && (model === null || model === answered.model));
    return exhaustions.filter(isOver).map(({ credential, model }) => ({
      type: billingRestored.type,
      data: { providerId, credential, model, by },
    }));
  },
});
