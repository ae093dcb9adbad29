import { providerIds } from '../../vocabulary.ts';
import { type CredentialScope, type ProviderClients, scopeOf } from './clients.ts';
import { type FailureKind, ModelFailure } from './failure.ts';
import type { ModelGateway } from './gateway.ts';

const LONGEST_TRIAL_MS = 10_000;

interface TrialResult {
  readonly valid: boolean;
  readonly error?: string;
}

/** What the one who asks is told; never in the provider's own words, which may quote the key. */
export const WORDS: Readonly<Record<FailureKind, string>> = {
  billing: 'The provider knows the key, but its account has no credit',
  'rate-limit': 'The provider limits requests for now; try again later',
  key: 'The provider refused the key',
  overload: 'The provider is overloaded; try again later',
  network: 'The provider could not be reached',
  timeout: 'The provider did not answer in time',
  'bad-request': 'The provider did not understand the request',
  'model-unknown': 'The provider did not understand the request',
  malformed: 'The server does not speak the protocol of the provider',
  cancelled: 'The provider did not answer in time',
  unknown: 'The provider failed',
};

/** Asks the provider for something that costs and changes nothing, with this key. The key is not kept. */
export async function tryKey(
  clients: ProviderClients,
  scope: CredentialScope,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<TrialResult> {
  const providerId = providerIds.find((id) => scopeOf(id) === scope);
  if (!providerId) throw new TypeError('Unknown provider');
  const { valid, error } = await tryGateway(await clients.trial(providerId, apiKey), signal);
  return { valid, ...(error === undefined ? {} : { error }) };
}

/** The same with a gateway that is in use. What is wrong says how to mend it: `kind` is there when `error` is. */
export async function tryGateway(
  gateway: ModelGateway,
  signal: AbortSignal,
  longestMs = LONGEST_TRIAL_MS,
): Promise<TrialResult & { readonly kind?: FailureKind }> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(longestMs)]);
  try {
    await gateway.validate(ended);
    return { valid: true };
  } catch (error) {
    const kind = ended.aborted ? 'timeout' : error instanceof ModelFailure ? error.kind : 'unknown';
    return { valid: kind === 'billing', error: WORDS[kind], kind };
  }
}
