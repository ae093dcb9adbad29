import { text as allOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { z } from 'zod';
import { clientOf } from '../client.ts';
import { jsonOption } from '../jsonOption.ts';
import { idOf } from '../memory/believing.ts';
import { readOptions } from '../options.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { oneExecution, tell } from './execution.ts';

/** The service answers after a minute at the latest. */
const TIMEOUT_MS = 90_000;

const optionsSchema = z.object({ input: z.string().optional() });

export function addRunning(workflows: Command): void {
  const run = workflows
    .command('run')
    .description('execute a workflow; it goes on when this has ended')
    .argument('<id>', 'of a workflow')
    .option('--input <json>', 'what it is given; - reads it from the standard input');
  addUserOption(run, whoAsks).action((id: string, _options: unknown, invoked: Command) =>
    execute(idOf(id), invoked),
  );
}

async function execute(id: string, command: Command): Promise<void> {
  const { input } = readOptions(command, optionsSchema);
  const given = input === '-' ? await allOf(process.stdin) : input;
  const body = given === undefined ? {} : { input: jsonOption('--input', given) };
  const sent = { method: 'POST', body, timeoutMs: TIMEOUT_MS } as const;
  tell(command, await clientOf(command).ask(`api/workflows/${id}/execute`, oneExecution, sent));
}
