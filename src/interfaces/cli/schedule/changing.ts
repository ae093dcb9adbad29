import type { Command } from 'commander';
import { z } from 'zod';
import { idOf } from '../memory/believing.ts';
import { globalOptions } from '../options.ts';
import { print, printDocument } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { oneTask, printTasks, TASKS } from './task.ts';

export function addChanging(schedule: Command): void {
  add(schedule, 'show', 'one task', (id, command) => change(id, command, {}));
  add(schedule, 'pause', 'pause a task', (id, command) =>
    change(id, command, { method: 'PUT', body: { status: 'paused' } }),
  );
  add(schedule, 'resume', 'resume a paused task', (id, command) =>
    change(id, command, { method: 'PUT', body: { status: 'active' } }),
  );
  add(schedule, 'cancel', 'cancel a task for good', cancel);
}

function add(
  schedule: Command,
  name: string,
  description: string,
  run: (id: string, command: Command) => Promise<void>,
): void {
  const command = schedule.command(name).description(description).argument('<id>', 'of a task');
  addUserOption(command, whoAsks).action((id: string, _options: unknown, invoked: Command) =>
    run(idOf(id), invoked),
  );
}

async function change(
  id: string,
  command: Command,
  sent: { readonly method?: 'PUT'; readonly body?: object },
): Promise<void> {
  const answer = await clientOf(command).ask(`${TASKS}/${id}`, oneTask, sent);
  if (globalOptions(command).json) return printDocument(answer);
  printTasks([answer.task]);
  const { status, code, text } = answer.task.lastResult ?? {};
  if (status !== undefined)
    print(`last: ${[status, code, text].filter((part) => part !== undefined).join(' ')}`);
}

async function cancel(id: string, command: Command): Promise<void> {
  const answer = await clientOf(command).ask(`${TASKS}/${id}`, z.looseObject({}), { method: 'DELETE' });
  if (globalOptions(command).json) printDocument(answer);
  else print(`cancelled: ${id}`);
}
