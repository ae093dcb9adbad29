import { z } from 'zod';
import { HarkError } from '../../../errors.ts';
import { type AnyOperation, defineOperation } from '../../operation.ts';
import { apiKey, area, type CredentialDependencies, triableScopes } from './changes.ts';

/**
 * Anybody may have a key tried, so that this has limits beside that of the address: one at a time for an address, and so
 * many at once for all, of which the last is for who shows the key, or is on this machine while there is none.
 */
const MOST_TRIALS = 4;
const TRY_AGAIN_SECONDS = 5;

const scope = z.enum(triableScopes);

export function tryingOperation({ tryKey, config }: CredentialDependencies): AnyOperation {
  const hasKey = config.SERVICE_API_KEY !== undefined;
  const running = new Set<string>();
  return defineOperation({
    name: 'credentials.validate',
    area,
    summary: 'Whether a provider takes this key: asks it for something that costs and changes nothing',
    description: `Nothing is kept. One is tried at a time for an address, and ${MOST_TRIALS} for all. The local runner needs no key.`,
    rest: { method: 'POST', path: '/api/credentials/validate', access: 'open' },
    input: z.object({ providerId: scope, apiKey: apiKey.optional() }),
    output: z.object({ valid: z.boolean(), providerId: scope, error: z.string().optional() }),
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
        throw new HarkError('TOO_MANY_REQUESTS', { body: { retryAfter: TRY_AGAIN_SECONDS } });
      running.add(address);
      try {
        return { ...(await tryKey(providerId, key, signal)), providerId };
      } finally {
        running.delete(address);
      }
    },
  });
}
