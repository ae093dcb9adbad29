import type { Command } from 'commander';
import { z } from 'zod';
import { momentForms, parseMoment } from '../moment.ts';
import { addLogOptions, findMoment, type LogMoment, logPlace, withLog } from '../openLog.ts';
import { globalOptions, readOptions, refuseUrl } from '../options.ts';
import { print, printDocument, printRows, showTime, toned } from '../output.ts';
import { findShown, shownCatalog } from '../shown/catalog.ts';
import { showField } from '../shown/fields.ts';
import type { Entries, Shown } from '../shown/shown.ts';
import { addUserOption, userOf } from '../user.ts';

const optionsSchema = z.object({ until: z.string().default('now'), show: z.string() });

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('the state as it was, read from the log itself')
    .option('--until <moment>', `${momentForms} (default: now)`)
    .requiredOption('--show <what>', shownCatalog.map(({ name, about }) => `${name}: ${about}`).join('; '));
  addLogOptions(addUserOption(command)).action((_options: unknown, invoked: Command) => replay(invoked));
}

async function replay(command: Command): Promise<void> {
  refuseUrl(command);
  const { json } = globalOptions(command);
  const options = readOptions(command, optionsSchema);
  const shown = findShown(options.show);
  const moment = parseMoment(options.until, Date.now());
  const userId = userOf(command);
  await withLog(logPlace(command), async (log) => {
    const until = await findMoment(log, moment);
    const entries = await shown.entriesAt(log.store, until.position, userId);
    if (json) printDocument({ show: shown.name, user: userId, until, entries: toList(entries) });
    else printEntries(shown, until, entries);
  });
}

function toList(entries: Entries): unknown[] {
  return Array.from(entries, ([key, fields]) => ({ key, ...fields }));
}

function printEntries(shown: Shown, until: LogMoment, entries: Entries): void {
  print(toned('bold', `${shown.name} ${describeMoment(until)}`));
  const names = [...new Set(Array.from(entries.values()).flatMap((fields) => Object.keys(fields)))];
  const rows = Array.from(entries, ([key, fields]) => [
    key,
    ...names.map((name) => showField(name, fields[name])),
  ]);
  if (rows.length > 0) printRows([[shown.key, ...names], ...rows]);
  else print('none');
}

export function describeMoment({ position, at }: LogMoment): string {
  return at === null ? 'before the first event' : `at position ${position}, ${showTime(at)}`;
}
