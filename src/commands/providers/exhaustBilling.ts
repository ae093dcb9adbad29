import { billingExhausted, type ProviderEvent } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { isOf, type ProviderState, providerState, providerStream } from './state.ts';

/** A try sooner than this after the last tells nothing new. */
const TOLD_EVERY_MS = 60_000;

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
    const known = exhaustions.find((exhaustion) => isOf(exhaustion, credential, model));
    if (known && now - known.exhaustedAt < TOLD_EVERY_MS) return [];
    const data = { providerId, credential, model, exhaustedAt: now, probed: known !== undefined };
    return [{ type: billingExhausted.type, data }];
  },
});
