import { z } from 'zod';
import { HarkError } from '../../../errors.ts';
import { type AnyOperation, defineOperation } from '../../operation.ts';
import { apiKey, area, type CredentialDependencies, triableScopes } from './changes.ts';

/** Anybody may have a key tried, so that this has a limit beside that of the address: so many at once for all. */
const MOST_TRIALS = 4;
const TRY_AGAIN_SECONDS = 5;

const scope = z.enum(triableScopes);

export function tryingOperation({ tryKey }: CredentialDependencies): AnyOperation {
  let running = 0;
  return defineOperation({
    name: 'credentials.validate',
    area,
    summary: 'Whether a provider takes this key: asks it for something that costs and changes nothing',
    description: `Nothing is kept. No more than ${MOST_TRIALS} are tried at once. The local runner needs no key.`,
    rest: { method: 'POST', path: '/api/credentials/validate', access: 'open' },
    input: z.object({ providerId: scope, apiKey: apiKey.optional() }),
    output: z.object({ valid: z.boolean(), providerId: scope, error: z.string().optional() }),
    errors: ['VALIDATION_FAILED'],
    example: { input: { providerId: 'provider-local-runner' } },
    async run({ providerId, apiKey: key }, { signal }) {
      if (key === undefined && providerId !== 'provider-local-runner')
        throw new HarkError('VALIDATION_FAILED', {
          body: { issues: [{ path: ['apiKey'], message: 'The key is missing' }] },
        });
      if (running >= MOST_TRIALS)
        throw new HarkError('TOO_MANY_REQUESTS', { body: { retryAfter: TRY_AGAIN_SECONDS } });
      running++;
      try {
        return { ...(await tryKey(providerId, key, signal)), providerId };
      } finally {
        running--;
      }
    },
  });
}
