import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { type BackupFigures, backUp, restore } from '../../../store/backup.ts';
import { MemoryAdapter } from '../../../store/memory/adapter.ts';
import { openAdapter } from '../../../store/open.ts';
import { CliFailure, saying, wrongUsage } from '../failure.ts';
import { addLogOptions, describePlace, logPlace, withLog } from '../openLog.ts';
import { globalOptions, refuseUrl } from '../options.ts';
import { counted, print, printDocument } from '../output.ts';

export function addBackup(program: Command): void {
  const command = program
    .command('backup')
    .description('copy the log into one file, also while the service runs')
    .argument('<file>', 'the new file; nothing is overwritten');
  addLogOptions(command).action((file: string, _options: unknown, invoked: Command) =>
    backUpTo(resolve(file), invoked),
  );
}

export function addRestore(program: Command): void {
  const command = program
    .command('restore')
    .description('fill an empty data directory or Redis from a backup')
    .argument('<file>', 'a file that hark backup wrote');
  addLogOptions(command).action((file: string, _options: unknown, invoked: Command) =>
    restoreFrom(resolve(file), invoked),
  );
}

async function backUpTo(file: string, command: Command): Promise<void> {
  refuseUrl(command);
  const place = logPlace(command);
  refuseUnwritable(file);
  const figures = await withLog(place, ({ adapter }) => saying(file, () => backUp(adapter, file)));
  tell(command, describePlace(place), file, figures);
}

async function restoreFrom(file: string, command: Command): Promise<void> {
  refuseUrl(command);
  const place = logPlace(command);
  if (place.url === 'none' || place.url === 'memory')
    throw wrongUsage('restore needs a data directory or a Redis: --data-dir or --kvstore-url');
  const target = describePlace(place);
  await saying(file, () => examine(file));
  const adapter = await saying(target, () => openAdapter(place.url, place.dataDirectory));
  try {
    const figures = await saying(`${file} to ${target}`, () => restore(file, adapter));
    tell(command, file, target, figures);
  } finally {
    await adapter.close();
  }
}

/** Said before anything is written: later, the failure would speak of a file that only the backup itself knows. */
function refuseUnwritable(file: string): void {
  const folder = dirname(file);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new CliFailure(`${file}: The folder ${folder} does not exist`);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch {
    throw new CliFailure(`${file}: The folder ${folder} is not writable`);
  }
}

/**
 * Reads the backup in full before the target is opened, because opening one makes a log there: a file that cannot
 * be restored must leave nothing behind.
 */
async function examine(file: string): Promise<void> {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new CliFailure(`${file}: This is a folder, not a backup`);
  const target = new Examination();
  try {
    await restore(file, target);
  } catch (error) {
    if (!target.isReached) throw error;
  }
}

/** A target is asked for its head once the backup has read back as it should: this one ends it there. */
class Examination extends MemoryAdapter {
  isReached = false;

  override async head(): Promise<number> {
    this.isReached = true;
    throw new Error('Only examined');
  }
}

/** Positions are gap-free from 1, so that the newest stands where the count says. */
function tell(command: Command, from: string, to: string, { events, keys }: BackupFigures): void {
  if (globalOptions(command).json) printDocument({ from, to, events, head: events, keys, readBack: true });
  else
    print(`${from} → ${to}\n${counted(events, 'event')}, head ${events}, ${counted(keys, 'key')}; verified`);
}
