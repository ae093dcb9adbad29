import type { ProviderId } from '../../vocabulary.ts';
import { askBoundingErrors } from './ask.ts';
import { ModelFailure } from './failure.ts';
import type { GatewayOptions, ModelTimeouts } from './gateway.ts';

const CLOUD: ModelTimeouts = { connectMs: 60_000, firstPartMs: 180_000, idleMs: 120_000 };
/** A runner loads the model and reads the prompt before it answers anything. */
const LOCAL: ModelTimeouts = { connectMs: 280_000, firstPartMs: 180_000, idleMs: 120_000 };

export function timeoutsOf(
  providerId: ProviderId,
  ...given: readonly (Partial<ModelTimeouts> | undefined)[]
): ModelTimeouts {
  return Object.assign({}, providerId === 'local-runner' ? LOCAL : CLOUD, ...given);
}

/**
 * A key that can be sent as a header. Looked at here, because what the runtime says of one that cannot quotes it.
 */
export function keyOf({ apiKey }: GatewayOptions, providerId: ProviderId): string {
  if (apiKey === undefined || apiKey === '')
    throw new ModelFailure('key', { providerId, code: 'missing_key' });
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new ModelFailure('key', { providerId, code: 'malformed_key' });
  return apiKey;
}

/**
 * What both SDKs are made with. One attempt and no time-out of theirs: both are ours to decide. No word in a log:
 * theirs quote bodies and headers. No error without end.
 */
export const sdkOptions = {
  maxRetries: 0,
  timeout: 2 ** 31 - 1,
  logLevel: 'off',
  fetch: askBoundingErrors,
} as const;
