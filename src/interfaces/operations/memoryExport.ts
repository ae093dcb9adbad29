import { z } from 'zod';
import type { MemoryRecord } from '../../application/memory/records.ts';
import type { Clock } from '../../clock.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineText } from '../operation.ts';
import { type exportHead, lineOf } from './importShapes.ts';

/** All that is remembered of the user, to take along. */
export function memoryExportOperations(kvstore: Kvstore, clock: Clock): readonly AnyOperation[] {
  return [
    defineText({
      name: 'memory.export',
      area: 'memory',
      device: 'never',
      summary: 'Exports everything remembered of the user as JSON lines',
      description:
        'The profile, the episodes with the words that they came from, the conclusions of every status with ' +
        'their links, contradictions with what was said of them, entities with what counts as them and how they ' +
        'belong together, and preferences. `POST /api/memory/import` with `source: "export"` takes it back, here or ' +
        'elsewhere. ' +
        'An episode with many words takes several lines, each of which goes into one request.',
      rest: {
        method: 'GET',
        path: '/api/memory/export',
        isPowerful: true,
        text: 'application/x-ndjson; charset=utf-8',
      },
      input: () => z.object({}),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: {} },
      async run(_input, { userId }) {
        const { exportMemory } = await import('../../application/memory/exporting.ts');
        const records = exportMemory(kvstore.connected(), userId);
        const head: z.output<ReturnType<typeof exportHead>> = {
          kind: 'memory',
          format: 1,
          exportedAt: clock(),
        };
        return linesOf(head, records);
      },
    }),
  ];
}

async function* linesOf(
  head: z.output<ReturnType<typeof exportHead>>,
  records: AsyncIterable<MemoryRecord>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`;
  for await (const record of records) yield lineOf(record);
}
