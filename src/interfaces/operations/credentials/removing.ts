import { z } from 'zod';
import { type AnyOperation, defineOperation, id } from '../../operation.ts';
import { area, type CredentialDependencies, done, isRepeated, nothing, record } from './changes.ts';

export function removingOperations(dependencies: CredentialDependencies): readonly AnyOperation[] {
  const { credentials } = dependencies;
  return [
    defineOperation({
      name: 'credentials.remove',
      area,
      summary: "Removes a provider's stored key; the environment's counts again, if there is one",
      rest: { method: 'DELETE', path: '/api/credentials/:providerId', isPowerful: true },
      input: z.object({ providerId: id.startsWith('provider-', 'Has to start with provider-') }),
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
      summary: 'Removes every stored key',
      rest: { method: 'POST', path: '/api/credentials/clear-all', isPowerful: true },
      input: nothing,
      output: done.omit({ providerId: true }).extend({ removed: z.array(z.string()) }),
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
