import { z } from 'zod';
import { HarkError } from '../../../errors.ts';
import { type AnyOperation, type Caller, defineOperation } from '../../operation.ts';
import {
  apiKey,
  area,
  type CredentialDependencies,
  done,
  isRepeated,
  nothing,
  record,
  storableScopes,
} from './changes.ts';

export function storingOperations(dependencies: CredentialDependencies): readonly AnyOperation[] {
  const { config, credentials, setupTokens } = dependencies;
  return [
    setupToken(dependencies, 'credentials.setupToken', 'GET'),
    setupToken(dependencies, 'credentials.makeSetupToken', 'POST'),
    defineOperation({
      name: 'credentials.store',
      area,
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
      input: z.object({ providerId: z.enum(storableScopes), apiKey }),
      output: done,
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CREDENTIALS_UNAVAILABLE', 'STORAGE_FULL'],
      example: { input: { providerId: 'provider-cloud-a', apiKey: 'a-key-of-the-provider' } },
      admit(caller) {
        refuseFromElsewhere(caller);
        if (config.SERVICE_API_KEY === undefined && !setupTokens.accepts(caller.setupToken))
          throw new HarkError('UNAUTHORIZED', {
            message: 'Show a setup token (X-Setup-Token) from /api/setup-token; it is valid for 30 minutes',
          });
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
    summary: 'A token with which this machine may store provider keys while no API key is configured',
    description:
      'Valid for 30 minutes, shown as `X-Setup-Token`. 403 from elsewhere, for pages of other sites, and when an API ' +
      'key is configured. `GET` and `POST` do the same.',
    rest: { method, path: '/api/setup-token', access: 'open', isPowerful: true },
    input: nothing,
    output: z.object({ token: z.string(), expiresAt: z.number().describe('Unix ms') }),
    errors: ['FORBIDDEN'],
    example: { input: {} },
    admit(caller) {
      refuseFromElsewhere(caller);
      if (config.SERVICE_API_KEY !== undefined)
        throw new HarkError('FORBIDDEN', { message: 'An API key is configured: show that' });
    },
    run: () => setupTokens.issue(),
  });
}

function refuseFromElsewhere({ isLoopback }: Caller): void {
  if (!isLoopback) throw new HarkError('FORBIDDEN', { message: 'Only from the machine that hark runs on' });
}
