import { z } from 'zod';
import { providerVariables } from '../../../providerVariables.ts';
import type { ProviderId } from '../../../vocabulary.ts';
import { type AnyOperation, defineOperation } from '../../operation.ts';
import { labelOfScope, providerLabel } from '../../providerNaming.ts';
import { area, type CredentialDependencies, nothing, storableScopes } from './changes.ts';

/** The provider of each key that can be stored. */
const providerOf = {
  'provider-cloud-a': 'cloud-a',
  'provider-cloud-b': 'cloud-b',
  'provider-gateway': 'gateway',
} as const satisfies Record<(typeof storableScopes)[number], ProviderId>;

export function listingOperation({ config, credentials }: CredentialDependencies): AnyOperation {
  return defineOperation({
    name: 'credentials.list',
    area,
    device: 'never',
    summary: 'Which providers have a key, and where it comes from; never the key',
    rest: { method: 'GET', path: '/api/credentials', isPowerful: true },
    input: nothing,
    output: () =>
      z.object({
        keys: z.array(
          z.object({
            providerId: z.enum(storableScopes),
            label: providerLabel().optional(),
            source: z
              .enum(['stored', 'environment', 'none'])
              .describe('A stored key wins over the variable of the environment'),
            variable: z.string().describe('The variable of the environment that can hold it too'),
          }),
        ),
        count: z.int().describe('How many have a key'),
      }),
    errors: ['CREDENTIALS_UNAVAILABLE'],
    example: { input: {} },
    async run() {
      const stored = await credentials.keys();
      const keys = storableScopes.map((providerId) => {
        const { key: variable } = providerVariables[providerOf[providerId]];
        const given = config[variable] === undefined ? 'none' : 'environment';
        const source: 'stored' | 'environment' | 'none' = stored.has(providerId) ? 'stored' : given;
        return { providerId, label: labelOfScope(providerId), source, variable };
      });
      return { keys, count: keys.filter(({ source }) => source !== 'none').length };
    },
  });
}
