import { z } from 'zod';
import { itemOf, type Recallable } from '../../application/memory/items.ts';
import { type AnyOperation, defineOperation, ID_PATTERN } from '../operation.ts';

const MOST = 100;

/** What is behind the ids by which turns say what was recalled. */
export function memoryItemOperations(
  recallable: (userId: string) => Promise<Recallable>,
): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'memory.items',
      area: 'memory',
      device: 'trust2',
      summary: 'What memory holds under these ids',
      description:
        'As a turn names them in `recalled`: conclusions, episodes, relationships, lines of the profile. What is not ' +
        'remembered any more is left out.',
      rest: { method: 'GET', path: '/api/memory/items' },
      input: () =>
        z.object({
          ids: z
            .string()
            .transform((text) => [...new Set(text.split(',').filter(Boolean))])
            .refine(
              (ids) => ids.length <= MOST && ids.every((id) => ID_PATTERN.test(id)),
              'must be up to 100 ids',
            )
            .describe('Separated by commas'),
        }),
      output: () =>
        z.object({
          items: z.array(
            z.object({
              id: z.string(),
              kind: z.enum(['conclusion', 'episode', 'relationship', 'profile']),
              text: z.string(),
              status: z
                .enum(['active', 'pruned', 'merged'])
                .optional()
                .describe('Of a conclusion: only an active one is still believed'),
              entityId: z.string().optional().describe('Of a relationship: the entity that it is about'),
            }),
          ),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { ids: 'one,another' } },
      async run({ ids }, { userId }) {
        const known = await recallable(userId);
        return { items: ids.flatMap((id) => itemOf(id, known) ?? []) };
      },
    }),
  ];
}
