import type { Command } from 'commander';
import { clientOf } from '../client.ts';
import { idOf } from '../memory/believing.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { oneExecution, tell } from './execution.ts';

const EXECUTIONS = 'api/workflows/executions';

export function addExecutions(workflows: Command): void {
  add(workflows, 'show', 'how far an execution got', async (id, command) =>
    tell(command, await clientOf(command).get(`${EXECUTIONS}/${id}`, oneExecution)),
  );
  add(workflows, 'cancel', 'end an execution now', async (id, command) => {
    const path = `${EXECUTIONS}/${id}/cancel`;
    tell(command, await clientOf(command).ask(path, oneExecution, { method: 'POST', body: {} }));
  });
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
