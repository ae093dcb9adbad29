import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { type AnyOperation, defineOperation, id } from '../operation.ts';
import { scopeAmong, scopeNamed } from '../providerNaming.ts';
import { refuseFromElsewhere, requireClaim } from '../setupTokens.ts';
import {
  apiKey,
  area,
  type CredentialDependencies,
  done,
  isRepeated,
  nothing,
  record,
  storableScopes,
  triableScopes,
} from './credentials/changes.ts';
import { listingOperation } from './credentials/listing.ts';

export function credentialOperations(dependencies: CredentialDependencies): readonly AnyOperation[] {
  return [
    ...storingOperations(dependencies),
    ...removingOperations(dependencies),
    listingOperation(dependencies),
    tryingOperation(dependencies),
  ];
}

function storingOperations(dependencies: CredentialDependencies): readonly AnyOperation[] {
  const { credentials } = dependencies;
  return [
    setupToken(dependencies, 'credentials.setupToken', 'GET'),
    setupToken(dependencies, 'credentials.makeSetupToken', 'POST'),
    defineOperation({
      name: 'credentials.store',
      area,
      device: 'never',
      summary: 'Stores the key of a provider, encrypted',
      description:
        'From this machine only, with the API key or, while none is configured, with `X-Setup-Token`. It counts at once ' +
        'and wins over the environment; what runs with the key before ends with that. White space at the ends is taken off.',
      rest: {
        method: 'POST',
        path: '/api/credentials',
        isPowerful: true,
        headers: { 'X-Setup-Token': 'The token of /api/setup-token, while no API key is configured' },
      },
      input: () => z.object({ providerId: scopeAmong(storableScopes), apiKey: apiKey() }),
      output: done,
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CREDENTIALS_UNAVAILABLE', 'STORAGE_FULL'],
      example: { input: { providerId: 'provider-cloud-a', apiKey: 'a-key-of-the-provider' } },
      admit(caller) {
        refuseFromElsewhere(caller);
        requireClaim(dependencies, caller);
      },
      async run(input, caller) {
        const { providerId } = input;
        const answer = { success: true as const, providerId };
        if (await isRepeated(dependencies, caller)) return answer;
        const action = await credentials.store(providerId, input.apiKey);
        const changes = action === 'unchanged' ? [] : [{ providerId, action }];
        return { ...answer, ...(await record(dependencies, changes, caller)) };
      },
    }),
  ];
}

/** With both methods: browsers say of a `POST` alone, whatever asks, which page it comes from. */
function setupToken(
  { config, setupTokens }: CredentialDependencies,
  name: string,
  method: 'GET' | 'POST',
): AnyOperation {
  return defineOperation({
    name,
    area,
    device: 'never',
    summary: 'A token for this machine to store provider keys while no API key is configured',
    description:
      'Valid for 30 minutes, shown as `X-Setup-Token`. 403 from elsewhere, for pages of other sites, and when an API ' +
      'key is configured. `GET` and `POST` do the same.',
    rest: { method, path: '/api/setup-token', access: 'open', isPowerful: true },
    input: nothing,
    output: () => z.object({ token: z.string(), expiresAt: z.number().describe('Unix ms') }),
    errors: ['FORBIDDEN'],
    example: { input: {} },
    admit(caller) {
      refuseFromElsewhere(caller);
      if (config.SERVICE_API_KEY !== undefined)
        throw new HarkError('FORBIDDEN', { message: 'An API key is configured: use it instead' });
    },
    run: () => setupTokens.issue(),
  });
}

function removingOperations(dependencies: CredentialDependencies): readonly AnyOperation[] {
  const { credentials } = dependencies;
  return [
    defineOperation({
      name: 'credentials.remove',
      area,
      device: 'never',
      summary: "Removes a provider's stored key; the environment's counts again, if there is one",
      rest: { method: 'DELETE', path: '/api/credentials/:providerId', isPowerful: true },
      input: () =>
        z.object({
          providerId: id()
            .transform(scopeNamed)
            .refine((scope) => scope.startsWith('provider-'), {
              error: 'Has to be the name of a provider, or to start with provider-',
            }),
        }),
      output: done,
      errors: ['CREDENTIALS_UNAVAILABLE', 'STORAGE_FULL'],
      example: { input: { providerId: 'provider-gateway' } },
      async run({ providerId }, caller) {
        const answer = { success: true as const, providerId };
        if (await isRepeated(dependencies, caller)) return answer;
        const changes = (await credentials.remove(providerId)) ? [deletionOf(providerId)] : [];
        return { ...answer, ...(await record(dependencies, changes, caller)) };
      },
    }),
    defineOperation({
      name: 'credentials.clear',
      area,
      device: 'never',
      summary: 'Removes every stored key',
      rest: { method: 'POST', path: '/api/credentials/clear-all', isPowerful: true },
      input: nothing,
      output: () =>
        done()
          .omit({ providerId: true })
          .extend({ removed: z.array(z.string()) }),
      errors: ['CREDENTIALS_UNAVAILABLE', 'STORAGE_FULL'],
      example: { input: {} },
      async run(_input, caller) {
        if (await isRepeated(dependencies, caller)) return { success: true as const, removed: [] };
        const removed = [...(await credentials.clear())];
        const recorded = await record(dependencies, removed.map(deletionOf), caller);
        return { success: true as const, removed, ...recorded };
      },
    }),
  ];
}

function deletionOf(providerId: string) {
  return { providerId, action: 'deleted' as const };
}

/**
 * Anybody may have a key tried, so that this has limits beside that of the address: one at a time for an address, and so
 * many at once for all, of which the last is for who shows the key, or is on this machine while there is none.
 */
const MOST_TRIALS = 4;
const TRY_AGAIN_SECONDS = 5;

const scope = lazily(() => scopeAmong(triableScopes));

function tryingOperation({ tryKey, config }: CredentialDependencies): AnyOperation {
  const hasKey = config.SERVICE_API_KEY !== undefined;
  const running = new Set<string>();
  return defineOperation({
    name: 'credentials.validate',
    area,
    device: 'never',
    summary: 'Checks whether a provider takes this key, with a request that costs and changes nothing',
    description: `Nothing is kept. One is tried at a time for an address, and ${MOST_TRIALS} for all. The local runner needs no key.`,
    rest: { method: 'POST', path: '/api/credentials/validate', access: 'open' },
    input: () => z.object({ providerId: scope(), apiKey: apiKey().optional() }),
    output: () =>
      z.object({ valid: z.boolean(), providerId: z.enum(triableScopes), error: z.string().optional() }),
    errors: ['VALIDATION_FAILED'],
    example: { input: { providerId: 'provider-local-runner' } },
    async run({ providerId, apiKey: key }, { signal, address, isKnown, isLoopback }) {
      if (key === undefined && providerId !== 'provider-local-runner')
        throw new HarkError('VALIDATION_FAILED', {
          body: { issues: [{ path: ['apiKey'], message: 'The key is missing' }] },
        });
      const free = MOST_TRIALS - running.size;
      const mayTakeLast = hasKey ? isKnown : isLoopback;
      if (running.has(address) || free < (mayTakeLast ? 1 : 2))
        throw new HarkError('TOO_MANY_REQUESTS', { limit: 1, body: { retryAfter: TRY_AGAIN_SECONDS } });
      running.add(address);
      try {
        return { ...(await tryKey(providerId, key, signal)), providerId };
      } finally {
        running.delete(address);
      }
    },
  });
}
