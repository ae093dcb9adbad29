import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { wrongUsage } from '../failure.ts';
import { addBelieving, idOf } from '../memory/believing.ts';
import { addExporting } from '../memory/exporting.ts';
import { addFinding } from '../memory/finding.ts';
import { addImporting } from '../memory/importing.ts';
import { printReport, reportShape } from '../memory/report.ts';
import { globalOptions, readOptions } from '../options.ts';
import { counted, print, printDocument } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

export function addMemory(program: Command): void {
  const memory = program.command('memory').description('what a running service remembers');
  addFinding(memory);
  addBelieving(memory);
  addMaintaining(memory);
  addImporting(memory);
  addExporting(memory);
  addForgetting(memory);
}

const optionsSchema = z.object({
  episode: z.string().optional(),
  conclusion: z.string().optional(),
  session: z.string().optional(),
  words: z.boolean().default(false),
  all: z.boolean().default(false),
  yes: z.boolean().default(false),
});

function addForgetting(memory: Command): void {
  const command = memory
    .command('forget')
    .description('erase for good what is remembered')
    .addOption(
      new Option('--episode <id>', 'an episode, with its conversation').conflicts([
        'conclusion',
        'session',
        'all',
      ]),
    )
    .addOption(new Option('--conclusion <id>', 'something that is believed').conflicts(['session', 'all']))
    .addOption(
      new Option('--session <id>', 'a session with all that was drawn from it alone').conflicts('all'),
    )
    .option('--words', 'with the conversations that the conclusion came from')
    .option('--all', 'everything personal of the user')
    .option('--yes', 'do not ask first');
  addUserOption(command, whoAsks).action((_options: unknown, invoked: Command) => forget(invoked));
}

async function forget(command: Command): Promise<void> {
  const options = readOptions(command, optionsSchema);
  if (options.words && options.conclusion === undefined) throw wrongUsage('--words: goes with --conclusion');
  const target = targetOf(options);
  const client = clientOf(command);
  const isPlain = !globalOptions(command).json;
  if (options.all && isPlain) print(extentIn(await client.get('api/memory/extent', extent)));
  if (!options.yes && !(await isMeant(`Erase ${target.what}? It cannot be undone.`)))
    return print('nothing was erased');
  const asksForWords = !options.yes && options.conclusion !== undefined && !options.words;
  const withWords = options.words || (asksForWords && (await isMeant(`Erase ${ITS_WORDS} as well?`)));
  const query = withWords ? { words: 'true' } : target.query;
  const answer = await client.ask(target.path, erased, { method: 'DELETE', query });
  if (!isPlain) return printDocument(answer);
  print(`erased: ${target.what}${withWords ? `, with ${ITS_WORDS}` : ''}`);
  const { episodes = [] } = answer;
  if (episodes.length > 0)
    print(`its words are still in: ${episodes.join(', ')} (hark memory forget --episode <id>)`);
}

const ITS_WORDS = 'the conversations that it came from';

const erased = z.looseObject({ episodes: z.array(z.string()).optional() });

const extent = z.looseObject({
  episodes: z.number(),
  conclusions: z.number(),
  entities: z.number(),
  hasProfile: z.boolean(),
  tasks: z.number(),
});

function extentIn({ episodes, conclusions, entities, hasProfile, tasks }: z.output<typeof extent>): string {
  const parts = [
    counted(conclusions, 'conclusion'),
    `${counted(episodes, 'episode')} with their conversations`,
    counted(entities, 'entity', 'entities'),
    ...(hasProfile ? ['the profile'] : []),
  ];
  const ending = tasks === 0 ? '' : `; of ${counted(tasks, 'task')} those end that hold text`;
  return `this erases ${parts.join(', ')}${ending}`;
}

function targetOf({ episode, conclusion, session, all }: z.output<typeof optionsSchema>) {
  if (episode !== undefined)
    return {
      path: `api/memory/episodes/${idOf(episode)}`,
      what: `episode ${episode}, with its conversation and the conclusions that rest on nothing else`,
      query: {},
    };
  if (conclusion !== undefined)
    return {
      path: `api/memory/conclusions/${idOf(conclusion)}`,
      what: `conclusion ${conclusion}`,
      query: {},
    };
  if (session !== undefined)
    return {
      path: `api/chat/sessions/${idOf(session)}`,
      what: `session ${session}, with the episodes and conclusions that rest on nothing else`,
      query: { forget: 'true' },
    };
  if (all) return { path: 'api/memory', what: 'everything personal of the user', query: {} };
  throw wrongUsage('forget: give --episode <id>, --conclusion <id>, --session <id> or --all');
}

/** Whoever is not there to ask has to say it beforehand. */
async function isMeant(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) throw wrongUsage('forget: cannot ask without a terminal; give --yes');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}

/** Models may be asked about hundreds of pairs. */
const TIMEOUT_MS = 30 * 60_000;

function addMaintaining(memory: Command): void {
  const command = memory
    .command('maintain')
    .description('flag, merge and prune stale, duplicate and doubtful conclusions; exit code 2 when busy')
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
