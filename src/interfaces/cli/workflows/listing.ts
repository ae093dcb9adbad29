import type { Command } from 'commander';
import { z } from 'zod';
import { clientOf } from '../client.ts';
import { globalOptions } from '../options.ts';
import { printDocument, printRows, toned } from '../output.ts';

const listed = z.looseObject({
  workflows: z.array(
    z.looseObject({ id: z.string(), name: z.string(), description: z.string(), stepCount: z.number() }),
  ),
  badFiles: z.array(z.looseObject({ file: z.string(), problem: z.string(), keepsOld: z.boolean() })),
});

export function addListing(workflows: Command): void {
  workflows
    .command('list')
    .description('the workflows that there are, and files that cannot be used')
    .action((_options: unknown, invoked: Command) => show(invoked));
}

async function show(command: Command): Promise<void> {
  const answer = await clientOf(command).get('api/workflows', listed);
  if (globalOptions(command).json) return printDocument(answer);
  printRows(
    answer.workflows.map(({ id, stepCount, description }) => [
      id,
      `${stepCount} step${stepCount === 1 ? '' : 's'}`,
      description,
    ]),
  );
  printRows(
    answer.badFiles.map(({ file, problem, keepsOld }) => [
      toned('red', 'bad'),
      file,
      keepsOld ? 'the version before is in use' : 'not in use',
      problem,
    ]),
  );
}
