import type { Command } from 'commander';
import { z } from 'zod';
import { clientOf } from '../client.ts';
import { globalOptions, readOptions } from '../options.ts';
import { printDocument } from '../output.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { printReport, reportShape } from './report.ts';

/** Models may be asked about hundreds of pairs. */
const TIMEOUT_MS = 30 * 60_000;

export function addMaintaining(memory: Command): void {
  const command = memory
    .command('maintain')
    .description('flag, merge and prune what is stale, said twice or doubtful; exit code 2 when busy')
    .option('--dry-run', 'say what would be done, and change nothing');
  addUserOption(command, whoAsks).action((_options: unknown, invoked: Command) => maintain(invoked));
}

async function maintain(command: Command): Promise<void> {
  const { dryRun } = readOptions(command, z.object({ dryRun: z.boolean().default(false) }));
  const client = clientOf(command);
  const report = dryRun
    ? await client.get('api/memory/maintain/preview', reportShape)
    : await client.ask('api/memory/maintain', reportShape, {
        method: 'POST',
        body: {},
        timeoutMs: TIMEOUT_MS,
      });
  if (globalOptions(command).json) printDocument(report);
  else printReport(report);
}
