import { billingExhausted, billingRestored } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineProjection } from '../projection.ts';

export interface Exhaustion {
  /** Fingerprint of the key. */
  readonly credential: string;
  /** Null when the credit of the whole key is used up. */
  readonly model: string | null;
  readonly since: number;
  /** When it was last found unchanged. */
  readonly probedAt: number;
}

interface ProviderBilling {
  exhaustions: readonly Exhaustion[];
  timesExhausted: number;
  timesRestored: number;
}

export interface BillingState {
  readonly byProvider: Partial<Record<ProviderId, ProviderBilling>>;
}

/** Whose credit is used up, by key and model. */
export const billing = defineProjection({
  name: 'providers.billing',
  version: 1,
  handles: [billingExhausted, billingRestored],
  initial: (): BillingState => ({ byProvider: {} }),
  apply({ byProvider }, event) {
    const { providerId, credential, model } = event.data;
    const ofProvider = byProvider[providerId] ?? { exhaustions: [], timesExhausted: 0, timesRestored: 0 };
    const earlier = ofProvider.exhaustions.find(
      (one) => one.credential === credential && one.model === model,
    );
    const others = ofProvider.exhaustions.filter((one) => one !== earlier);
    if (event.type === billingExhausted.type) {
      const since = earlier?.since ?? event.at;
      ofProvider.exhaustions = [...others, { credential, model, since, probedAt: event.at }];
      ofProvider.timesExhausted += earlier ? 0 : 1;
    } else {
      ofProvider.exhaustions = others;
      ofProvider.timesRestored += earlier ? 1 : 0;
    }
    byProvider[providerId] = ofProvider;
  },
});

/** What stands in the way of this model under this key, if its credit is used up. */
export function exhaustionOf(
  { byProvider }: BillingState,
  providerId: ProviderId,
  credential: string,
  model?: string,
): Exhaustion | undefined {
  return byProvider[providerId]?.exhaustions.find(
    (one) => one.credential === credential && (one.model === null || one.model === model),
  );
}
