import type { CommandRunner } from '../../commands/runner.ts';
import type { ProviderFailureKind } from '../../events/providers.ts';
import type { ProviderClient } from '../../gateways/models/clients.ts';
import type { ModelFailure } from '../../gateways/models/failure.ts';
import type { Views } from '../../projections/runtime.ts';
import { failureKinds, type ProviderId } from '../../vocabulary.ts';

/** The providers as they are configured now. Ask anew for each use: a key may be exchanged at any time. */
export interface ConfiguredProviders {
  /** Undefined for a provider that is not configured. */
  clientFor(providerId: ProviderId): Promise<ProviderClient | undefined>;
  configured(): Promise<readonly ProviderId[]>;
}

/** The log, while it is there. */
export interface CurrentContext {
  readonly current: { readonly runner: CommandRunner; readonly views: Views } | undefined;
}

export interface ProviderFault {
  readonly kind: ProviderFailureKind;
  readonly model: string | null;
  readonly status: number | null;
}

/** What a provider sent as its catalog is empty, huge or none. */
export class WrongCatalog extends Error {
  override readonly name = 'WrongCatalog';
}

/** Why a provider did not answer, of whatever was thrown. Undefined when the caller gave up. */
export function faultOf(error: unknown): ProviderFault | undefined {
  if (error instanceof WrongCatalog) return { kind: 'malformed', model: null, status: null };
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { kind: 'timeout', model: null, status: null };
  if (!isModelFailure(error)) return { kind: 'unknown', model: null, status: null };
  const kind = failureKinds.find((one) => one === error.kind);
  return kind && { kind, model: error.model ?? null, status: error.status ?? null };
}

/** By name: this layer knows the gateways by their types only. */
function isModelFailure(error: unknown): error is ModelFailure {
  return error instanceof Error && error.name === 'ModelFailure';
}
