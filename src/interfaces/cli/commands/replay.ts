import { type Command, Option } from 'commander';
import { z } from 'zod';
import { wrongUsage } from '../failure.ts';
import { printReport } from '../memory/report.ts';
import { momentForms, parseMoment } from '../moment.ts';
import { addLogOptions, findMoment, type LogMoment, logPlace, withLog } from '../openLog.ts';
import { globalOptions, readOptions, refuseUrl } from '../options.ts';
import { print, printDocument, printRows, showTime, toned } from '../output.ts';
import { findShown, shownCatalog } from '../shown/catalog.ts';
import { showField } from '../shown/fields.ts';
import type { Shown, ShownEntries } from '../shown/shown.ts';
import { addUserOption, userOf } from '../user.ts';
import { parseWhatIf, sweepAsIf, whatIfForm } from '../whatIf.ts';

const optionsSchema = z.object({
  until: z.string().default('now'),
  show: z.string().optional(),
  whatIf: z.string().optional(),
});

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('the state as it was, read from the log itself')
    .option('--until <moment>', `${momentForms} (default: now)`)
    .option('--show <what>', shownCatalog.map(({ name, about }) => `${name}: ${about}`).join('; '))
    .addOption(
      new Option(
        '--what-if <thresholds>',
        `instead: what a sweep of memory would have done then, with ${whatIfForm}`,
      ).conflicts('show'),
    );
  addLogOptions(addUserOption(command)).action((_options: unknown, invoked: Command) => replay(invoked));
}

async function replay(command: Command): Promise<void> {
  refuseUrl(command);
  const { json } = globalOptions(command);
  const options = readOptions(command, optionsSchema);
  if (options.whatIf !== undefined) return sweep(command, options.whatIf, options.until);
  if (options.show === undefined) throw wrongUsage('replay: say --show <what>, or --what-if <thresholds>');
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

async function sweep(command: Command, whatIf: string, then: string): Promise<void> {
  const thresholds = parseWhatIf(whatIf);
  const moment = parseMoment(then, Date.now());
  const userId = userOf(command);
  await withLog(logPlace(command), async (log) => {
    const until = await findMoment(log, moment);
    const at = moment.kind === 'time' ? moment.at : (until.at ?? Date.now());
    const report = await sweepAsIf(log.store, { position: until.position, at }, userId, thresholds);
    if (globalOptions(command).json) printDocument({ user: userId, until, report });
    else printReport(report);
  });
}

function toList(entries: ShownEntries): unknown[] {
  return Array.from(entries, ([key, fields]) => ({ key, ...fields }));
}

function printEntries(shown: Shown, until: LogMoment, entries: ShownEntries): void {
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
