import type { NewEvent } from '../../events/definition.ts';
import { type CatalogModel, type ProviderFailureKind, readProviderEvent } from '../../events/providers.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import type { ProviderId } from '../../vocabulary.ts';

interface Failure {
  readonly kind: ProviderFailureKind;
  readonly model: string | null;
  readonly status: number | null;
  readonly failedAt: number;
}

/** Credit that is used up: of a key, or of one model under that key. */
export interface UsedUpCredit {
  readonly credential: string;
  readonly model: string | null;
  /** When it was last found to be. */
  readonly exhaustedAt: number;
}

export interface ProviderState {
  /** The process in which it last came up; null when it has failed since. */
  readonly initializedIn: string | null;
  readonly failure: Failure | null;
  readonly exhaustions: readonly UsedUpCredit[];
  readonly models: readonly CatalogModel[] | null;
}

export const providerState: StreamFold<ProviderState> = {
  name: 'provider',
  version: 1,
  initial: { initializedIn: null, failure: null, exhaustions: [], models: null },
  evolve(state: ProviderState, past: NewEvent): ProviderState {
    const event = readProviderEvent(past);
    switch (event?.type) {
      case 'provider.initialized':
        return { ...state, initializedIn: event.data.instanceId, failure: null };
      case 'provider.failed':
        return { ...state, initializedIn: null, failure: event.data };
      case 'provider.billing.exhausted': {
        const { credential, model, exhaustedAt } = event.data;
        const others = state.exhaustions.filter((one) => !isOf(one, credential, model));
        return { ...state, exhaustions: [...others, { credential, model, exhaustedAt }] };
      }
      case 'provider.billing.restored': {
        const { credential, model } = event.data;
        return {
          ...state,
          exhaustions: state.exhaustions.filter((one) => !isOf(one, credential, model)),
        };
      }
      case 'provider.catalog.refreshed':
        return { ...state, models: event.data.models ?? state.models };
      default:
        return state;
    }
  },
};

export function isOf(exhaustion: UsedUpCredit, credential: string, model: string | null): boolean {
  return exhaustion.credential === credential && exhaustion.model === model;
}

export function providerStream({ providerId }: { providerId: ProviderId }): string {
  return `provider-${providerId}`;
}
