import { type ProviderEvent, providerInitialized } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { type ProviderState, providerState, providerStream } from './state.ts';

interface InitializeProvider {
  readonly providerId: ProviderId;
  /** The process that was answered. */
  readonly instanceId: string;
}

export const initializeProvider = defineCommand<InitializeProvider, ProviderState>({
  name: 'providers.initialize',
  state: providerState,
  scope: 'system',
  stream: providerStream,
  /** Once a process, and again after each failure. */
  decide({ initializedIn }, { providerId, instanceId }): ProviderEvent[] {
    return initializedIn === instanceId
      ? []
      : [{ type: providerInitialized.type, data: { providerId, instanceId } }];
  },
});
