import { type Command, Option } from 'commander';
import { z } from 'zod';
import { Pace } from '../../../application/maintenance/pace.ts';
import { memoryToSweep, previewSweep } from '../../../application/maintenance/preview.ts';
import {
  type OtherThresholds,
  otherwise,
  thresholdsIn,
} from '../../../application/maintenance/sweepRequests.ts';
import { readConfig } from '../../../config.ts';
import type { MaintenanceReport } from '../../../projections/memory/sweepReport.ts';
import { viewAt } from '../../../projections/runtime.ts';
import { effectiveSettings, runtimeValues } from '../../../projections/settings/runtimeValues.ts';
import type { EventReader, Position, Snapshots } from '../../../store/port.ts';
import { wrongUsage } from '../failure.ts';
import { printReport } from '../memory/report.ts';
import { momentForms, parseMoment } from '../moment.ts';
import { addLogOptions, findMoment, type LogMoment, logPlace, withLog } from '../openLog.ts';
import { globalOptions, readOptions, refuseUrl } from '../options.ts';
import { print, printDocument, printRows, showTime, toned } from '../output.ts';
import { findShown, shownCatalog } from '../shown/catalog.ts';
import { type Shown, type ShownEntries, showField } from '../shown/shown.ts';
import { addUserOption, userOf } from '../user.ts';

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
    const { report, texts } = await sweepAsIf(
      log.store,
      { position: until.position, at },
      userId,
      thresholds,
    );
    if (globalOptions(command).json) printDocument({ user: userId, until, report: withTexts(report, texts) });
    else printReport(report, texts);
  });
}

function withTexts({ issues, ...report }: MaintenanceReport, texts: ReadonlyMap<string, string>) {
  const told = issues.map((issue) => ({ ...issue, text: texts.get(issue.conclusionId ?? '') }));
  return { ...report, issues: told };
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

const number = z
  .string()
  .regex(/^(\d+(\.\d+)?|\.\d+)$/)
  .transform(Number);
const share = number.pipe(z.number().max(1));
const thresholds = z.strictObject({
  prune: share.optional(),
  stale: number.optional(),
  decay: share.optional(),
  similarity: share.pipe(z.number().min(0.5)).optional(),
  orphan: number.pipe(z.number().max(10)).optional(),
});

const whatIfForm = 'prune=0.5,stale=30,decay=0.8,similarity=0.9,orphan=2, any of them';

/** Throws where it is not in that form. */
function parseWhatIf(text: string): OtherThresholds {
  const parts = text.split(',').map((part) => /^\s*(\w+)=([\d.]+)\s*$/.exec(part));
  const given = Object.fromEntries(parts.map((part) => [part?.[1] ?? '', part?.[2]]));
  const parsed = thresholds.safeParse(given);
  if (!parsed.success) throw wrongUsage(`--what-if: is ${whatIfForm}`);
  return parsed.data;
}

interface Then {
  readonly position: Position;
  readonly at: number;
}

/** A sweep that was not made, and what the conclusions said that it would have changed. */
interface SweepAsIf {
  readonly report: MaintenanceReport;
  readonly texts: ReadonlyMap<string, string>;
}

/** What a sweep would have done then with other thresholds; the others as they were set then. */
async function sweepAsIf(
  store: EventReader & Snapshots,
  { position, at }: Then,
  userId: string,
  other: OtherThresholds,
): Promise<SweepAsIf> {
  // Other variables may be wrong here without harm.
  const named = Object.entries(process.env).filter(([name]) => name.startsWith('SERVICE_MEMORY_'));
  const set = effectiveSettings(
    readConfig(Object.fromEntries(named)),
    await viewAt(store, runtimeValues, position),
  );
  const usual = thresholdsIn((key) => Number(set[key]?.value));
  const memory = await memoryToSweep(store, userId, { position });
  const said = Object.values(memory.conclusions).map(({ id, text }) => [id, text ?? ''] as const);
  const report = await previewSweep(memory, otherwise(usual, other), at, new Pace());
  return { report, texts: new Map(said) };
}
