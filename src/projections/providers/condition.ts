import {
  catalogRefreshed,
  type ProviderFailureKind,
  providerFailed,
  providerInitialized,
} from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineProjection } from '../projection.ts';

export interface LastFailure {
  readonly kind: ProviderFailureKind;
  readonly model: string | null;
  readonly at: number;
}

interface Condition {
  /** Undefined while it has not failed, or has answered since. */
  failure?: LastFailure | undefined;
}

interface ConditionState {
  readonly byProvider: Partial<Record<ProviderId, Condition>>;
}

/** A failure that a provider's answer to anything refutes. The others are about a key, a model or a request. */
const refutable: ReadonlySet<ProviderFailureKind> = new Set(['network', 'timeout', 'overload']);

/** What is known of how each provider is, from how it last answered. */
export const condition = defineProjection({
  name: 'providers.condition',
  version: 1,
  handles: [providerInitialized, providerFailed, catalogRefreshed],
  initial: (): ConditionState => ({ byProvider: {} }),
  apply({ byProvider }, event) {
    if (event.type === providerFailed.type) {
      const { providerId, kind, model } = event.data;
      byProvider[providerId] = { failure: { kind, model, at: event.at } };
    } else if (event.type === providerInitialized.type) {
      byProvider[event.data.providerId] = {};
    } else {
      const { providerId } = event.data;
      const failure = byProvider[providerId]?.failure;
      if (failure && isRefutedByCatalog(failure)) byProvider[providerId] = {};
    }
  },
});

/** Whether a provider that lists its models shows that this is over; some list them to anybody. */
export function isRefutedByCatalog({ kind }: LastFailure): boolean {
  return refutable.has(kind);
}
