import type { Command } from 'commander';
import { z } from 'zod';
import { idOf } from '../memory/believing.ts';
import { globalOptions, readOptions, wholeNumber } from '../options.ts';
import { print, printDocument, printRows, showTime } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

const EXECUTIONS = 'api/workflows/executions';

const optionsSchema = z.object({
  workflow: z.string().optional(),
  state: z.enum(['running', 'waiting', 'completed', 'failed', 'cancelled']).optional(),
  limit: wholeNumber.optional(),
});

const listed = z.looseObject({
  executions: z.array(
    z.looseObject({ id: z.string(), workflowId: z.string(), state: z.string(), startTime: z.number() }),
  ),
});

export function addExecutions(workflows: Command): void {
  const list = workflows
    .command('executions')
    .description('running and recent executions, newest first')
    .option('--workflow <id>', 'only those of this workflow')
    .option('--state <state>', 'only those that are running, waiting, completed, failed or cancelled')
    .option('--limit <count>', 'at most this many (default: 50)');
  addUserOption(list, whoAsks).action((_options: unknown, invoked: Command) => show(invoked));
  add(workflows, 'show', 'show how far an execution has come', async (id, command) =>
    tell(command, await clientOf(command).get(`${EXECUTIONS}/${id}`, oneExecution)),
  );
  add(workflows, 'cancel', 'end an execution now', async (id, command) => {
    const path = `${EXECUTIONS}/${id}/cancel`;
    tell(command, await clientOf(command).ask(path, oneExecution, { method: 'POST', body: {} }));
  });
}

async function show(command: Command): Promise<void> {
  const { workflow: workflowId, ...options } = readOptions(command, optionsSchema);
  const answer = await clientOf(command).get(EXECUTIONS, listed, { ...options, workflowId });
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.executions.length === 0) return print('nothing');
  printRows(
    answer.executions.map(({ id, workflowId: of, state, startTime }) => [state, showTime(startTime), id, of]),
  );
}

function add(
  workflows: Command,
  name: string,
  description: string,
  run: (id: string, command: Command) => Promise<void>,
): void {
  const command = workflows.command(name).description(description).argument('<id>', 'of an execution');
  addUserOption(command, whoAsks).action((id: string, _options: unknown, invoked: Command) =>
    run(idOf(id), invoked),
  );
}

export const oneExecution = z.looseObject({
  execution: z.looseObject({
    id: z.string(),
    workflowId: z.string(),
    state: z.string(),
    output: z.record(z.string(), z.unknown()).nullable(),
    error: z.string().nullable(),
    steps: z.array(
      z.looseObject({
        id: z.string(),
        state: z.string(),
        attempts: z.number(),
        until: z.number().nullable(),
        error: z.string().nullable(),
      }),
    ),
  }),
});
type OneExecution = z.output<typeof oneExecution>;

export function tell(command: Command, answer: OneExecution): void {
  if (globalOptions(command).json) {
    printDocument(answer);
    return;
  }
  const { id, workflowId, state, output, error, steps } = answer.execution;
  printRows([[state, id, workflowId, error ?? '']]);
  printRows(
    steps.map((step) => {
      const until = step.until === null ? '' : `until ${showTime(step.until)}`;
      const attempts = step.attempts > 1 ? `${step.attempts} attempts` : '';
      return ['', step.id, step.state, [until, attempts, step.error ?? ''].filter(Boolean).join(', ')];
    }),
  );
  if (output) print(JSON.stringify(output, undefined, 2));
}
