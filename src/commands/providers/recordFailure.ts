import { type ProviderEvent, type ProviderFailureKind, providerFailed } from '../../events/providers.ts';
import type { ProviderId } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { type ProviderState, providerState, providerStream } from './state.ts';

/** The same failure within this time is not told again: an outage must not fill the log. */
const TOLD_EVERY_MS = 60_000;

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
    if (isSame && now - failure.failedAt < TOLD_EVERY_MS) return [];
    return [{ type: providerFailed.type, data: { providerId, kind, model, status, failedAt: now } }];
  },
});
