import { text as allOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { z } from 'zod';
import { jsonOption } from '../jsonOption.ts';
import { idOf } from '../memory/believing.ts';
import { globalOptions, readOptions } from '../options.ts';
import { printDocument, printRows, toned } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { addExecutions, oneExecution, tell } from '../workflows/executions.ts';

export function addWorkflows(program: Command): void {
  const workflows = program.command('workflows').description('procedures of a running service');
  addListing(workflows);
  addRunning(workflows);
  addExecutions(workflows);
}

const listed = z.looseObject({
  workflows: z.array(
    z.looseObject({ id: z.string(), name: z.string(), description: z.string(), stepCount: z.number() }),
  ),
  badFiles: z.array(z.looseObject({ file: z.string(), problem: z.string(), keepsOld: z.boolean() })),
});

function addListing(workflows: Command): void {
  workflows
    .command('list')
    .description('list the workflows, and files that cannot be used')
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

/** The service answers after a minute at the latest. */
const TIMEOUT_MS = 90_000;

const optionsSchema = z.object({ input: z.string().optional() });

function addRunning(workflows: Command): void {
  const run = workflows
    .command('run')
    .description('execute a workflow; it continues when this command ends')
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
