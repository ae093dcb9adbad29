import { type Command, Option } from 'commander';
import { z } from 'zod';
import { exitCodes, wrongUsage } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { counted, print, printDocument, printRows } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { type Piece, piecesOf } from './pieces.ts';

const TIMEOUT_MS = 10 * 60_000;
const tools = ['claude-code', 'cursor', 'windsurf', 'aider', 'copilot'];

export function addImporting(memory: Command): void {
  const sources = memory.command('sources').description('list what memory can be imported from');
  addUserOption(sources, whoAsks).action((_options: unknown, invoked: Command) => listSources(invoked));
  const command = memory
    .command('import')
    .description('import conversations and memories from elsewhere')
    .argument('<source>', `conversation, export, ${tools.join(', ')}`)
    .argument('[file]', 'of this machine, for conversation and export; - reads the standard input')
    .addOption(new Option('--path <path>', 'what of a tool to import, where the service runs'))
    .option('--speaker <name>', 'the name by which the user speaks in conversations')
    .option('--dry-run', 'say what would be imported, and keep nothing');
  addUserOption(command, whoAsks).action(
    (source: string, file: string | undefined, _options: unknown, invoked: Command) =>
      take(source, file, invoked),
  );
}

const sourcesShape = z.looseObject({
  sources: z.array(
    z.looseObject({ id: z.string(), path: z.string(), available: z.boolean(), items: z.number() }),
  ),
});

async function listSources(command: Command): Promise<void> {
  const answer = await clientOf(command).get('api/memory/sources', sourcesShape);
  if (globalOptions(command).json) return printDocument(answer);
  printRows(
    answer.sources.map(({ id, path, available, items }) => [
      id,
      available ? counted(items, 'item') : 'not found',
      path,
    ]),
  );
}

const reportShape = z.object({
  imported: z.number(),
  skipped: z.number(),
  failed: z.number(),
  conflicts: z.number(),
  episodes: z.number(),
  conclusions: z.number(),
  entities: z.number(),
  issues: z.array(z.object({ item: z.string(), message: z.string() })),
  preview: z.array(z.object({ kind: z.string(), text: z.string() })),
});
type Report = z.output<typeof reportShape>;

const MOST_ISSUES = 50;
const MOST_PREVIEWED = 10;

async function take(source: string, file: string | undefined, command: Command): Promise<void> {
  const { path, dryRun, speaker } = readOptions(
    command,
    z.object({
      path: z.string().optional(),
      dryRun: z.boolean().default(false),
      speaker: z.string().optional(),
    }),
  );
  if (file !== undefined && tools.includes(source))
    throw wrongUsage('import: a tool is read where the service runs; choose with --path, not with a file');
  const client = clientOf(command);
  const send = async (body: object): Promise<Report> =>
    client.ask('api/memory/import', reportShape, {
      method: 'POST',
      body: { source, dryRun, speaker, ...body },
      timeoutMs: TIMEOUT_MS,
    });
  const report =
    file === undefined ? await send(path === undefined ? {} : { path }) : await inPieces(source, file, send);
  if (globalOptions(command).json) printDocument(report);
  else printReport(report, dryRun);
  if (report.failed > 0 && report.imported + report.skipped === 0) process.exitCode = exitCodes.failed;
}

/** A service takes only so much at once. What is done stays done, and the same again adds nothing. */
async function inPieces(
  source: string,
  file: string,
  send: (body: object) => Promise<Report>,
): Promise<Report> {
  if (source !== 'conversation' && source !== 'export')
    throw wrongUsage(`import: a file is for conversation or export, not for ${source}`);
  let whole: Report | undefined;
  for await (const piece of piecesOf(source, file)) {
    const report = await send({ content: piece.content });
    whole = together(whole, renumbered(report, piece));
  }
  return whole ?? send({ content: source === 'export' ? '' : { sessions: [] } });
}

/** As the user counts lines and sessions, through all pieces. */
function renumbered(report: Report, { before }: Piece): Report {
  const renumber = (item: string) =>
    item.replace(/^(line|session) (\d+)/, (_all, unit, number) => `${unit} ${Number(number) + before}`);
  return {
    ...report,
    issues: report.issues.map(({ item, ...issue }) => ({ item: renumber(item), ...issue })),
  };
}

function together(one: Report | undefined, other: Report): Report {
  if (!one) return other;
  return {
    imported: one.imported + other.imported,
    skipped: one.skipped + other.skipped,
    failed: one.failed + other.failed,
    conflicts: one.conflicts + other.conflicts,
    episodes: one.episodes + other.episodes,
    conclusions: one.conclusions + other.conclusions,
    entities: one.entities + other.entities,
    issues: [...one.issues, ...other.issues].slice(0, MOST_ISSUES),
    preview: [...one.preview, ...other.preview].slice(0, MOST_PREVIEWED),
  };
}

function printReport(report: Report, dryRun: boolean): void {
  const { imported, skipped, failed, conflicts, episodes, conclusions, entities, issues, preview } = report;
  const kinds = [
    counted(episodes, 'episode'),
    counted(conclusions, 'conclusion'),
    counted(entities, 'entity', 'entities'),
  ];
  const told = `${imported} (${kinds.join(', ')})`;
  print(`${dryRun ? 'would import' : 'imported'} ${told}, skipped ${skipped}, failed ${failed}`);
  if (conflicts > 0) print(`${conflicts} conflict with what was known, which stays`);
  if (dryRun) printRows(preview.map(({ kind, text }) => [`  ${kind}`, text]));
  printRows(issues.map(({ item, message }) => [`  ${item}`, message]));
}
