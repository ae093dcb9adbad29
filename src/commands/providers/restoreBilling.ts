import { billingRestored, type ProviderEvent, type restorers } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { type ProviderState, providerState, providerStream, type UsedUpCredit } from './state.ts';

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
