import type { Command } from 'commander';
import { z } from 'zod';
import { globalOptions, readOptions, wholeNumber } from '../options.ts';
import { print, printDocument, toned } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { printTasks, TASKS, task } from './task.ts';

const optionsSchema = z.object({
  status: z.enum(['active', 'paused', 'completed', 'cancelled', 'failed']).optional(),
  limit: wholeNumber.optional(),
  after: z.string().optional(),
});

const listed = z.looseObject({ tasks: z.array(task), next: z.string().optional() });

export function addListing(schedule: Command): void {
  const list = schedule
    .command('list')
    .description('scheduled tasks, newest first')
    .option('--status <status>', 'only those that are active, paused, completed, cancelled or failed')
    .option('--limit <count>', 'at most this many (default: all)')
    .option('--after <id>', 'those after this one');
  addUserOption(list, whoAsks).action((_options: unknown, invoked: Command) => show(invoked));
}

async function show(command: Command): Promise<void> {
  const answer = await clientOf(command).get(TASKS, listed, readOptions(command, optionsSchema));
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.tasks.length === 0) return print('nothing');
  printTasks(answer.tasks);
  if (answer.next !== undefined) print(toned('dim', `more: --after ${answer.next}`));
}
