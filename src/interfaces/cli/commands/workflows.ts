import type { Command } from 'commander';
import { addExecutions } from '../workflows/executions.ts';
import { addListing } from '../workflows/listing.ts';
import { addRunning } from '../workflows/running.ts';

export function addWorkflows(program: Command): void {
  const workflows = program.command('workflows').description('procedures of a running service');
  addListing(workflows);
  addRunning(workflows);
  addExecutions(workflows);
}
