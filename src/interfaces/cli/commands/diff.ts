import type { Command } from 'commander';
import { z } from 'zod';
import { wrongUsage } from '../failure.ts';
import { momentForms, parseMoment } from '../moment.ts';
import { addLogOptions, findMoment, type LogMoment, logPlace, type OpenLog, withLog } from '../openLog.ts';
import { globalOptions, readOptions, refuseUrl } from '../options.ts';
import { print, printable, printDocument, printRows, showTime, toned } from '../output.ts';
import { findShown, shownCatalog, shownNames } from '../shown/catalog.ts';
import { type Change, changesBetween } from '../shown/changes.ts';
import { showFields } from '../shown/shown.ts';
import { addUserOption, userOf } from '../user.ts';
import { describeMoment } from './replay.ts';

const optionsSchema = z.object({
  from: z.string(),
  to: z.string().default('now'),
  show: z.string().optional(),
});

const signs = { added: '+', removed: '-', changed: '~' } as const;
const tones = { added: 'green', removed: 'red', changed: 'yellow' } as const;

export function addDiff(program: Command): void {
  const command = program
    .command('diff')
    .description('what changed between two moments, and by which events')
    .requiredOption('--from <moment>', momentForms)
    .option('--to <moment>', `${momentForms} (default: now)`)
    .option('--show <what>', `only one of ${shownNames} (default: all)`);
  addLogOptions(addUserOption(command)).action((_options: unknown, invoked: Command) => diff(invoked));
}

async function diff(command: Command): Promise<void> {
  refuseUrl(command);
  const { json } = globalOptions(command);
  const options = readOptions(command, optionsSchema);
  const shown = options.show === undefined ? shownCatalog : [findShown(options.show)];
  const now = Date.now();
  const moments = { from: parseMoment(options.from, now), to: parseMoment(options.to, now) };
  const userId = userOf(command);
  await withLog(logPlace(command), async (log) => {
    const range = await findRange(log, moments);
    const positions = { from: range.from.position, to: range.to.position, userId };
    const changes: Change[] = [];
    for (const each of shown) changes.push(...(await changesBetween(log.store, each, positions)));
    if (json) printDocument({ user: userId, ...range, changes });
    else printChanges(range, changes);
  });
}

interface Range {
  readonly from: LogMoment;
  readonly to: LogMoment;
}

async function findRange(log: OpenLog, moments: Record<keyof Range, Parameters<typeof findMoment>[1]>) {
  const range: Range = { from: await findMoment(log, moments.from), to: await findMoment(log, moments.to) };
  if (range.from.position > range.to.position)
    throw wrongUsage(`--from is position ${range.from.position}, after --to at ${range.to.position}`);
  return range;
}

function printChanges({ from, to }: Range, changes: readonly Change[]): void {
  print(`from  ${describeMoment(from)}`);
  print(`to    ${describeMoment(to)}`);
  if (changes.length === 0) print('nothing changed');
  for (const change of changes) printChange(change);
}

function printChange({ show, key, change, before, after, events }: Change): void {
  const states = [before, after].flatMap((fields) => (fields === null ? [] : [showFields(fields)]));
  const line = printable(`${signs[change]} ${show} ${key}: ${states.join(' → ')}`);
  print();
  print(toned(tones[change], line));
  printRows(
    events.map(({ position, type, at, correlationId }) => [
      `    by ${position}`,
      showTime(at),
      type,
      `correlation ${correlationId}`,
    ]),
  );
}
