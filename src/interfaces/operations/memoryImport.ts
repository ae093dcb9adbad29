import { z } from 'zod';
import { ImportedSpeakers } from '../../application/memory/importedSpeakers.ts';
import type { ImportContext, ImportItem } from '../../application/memory/importing.ts';
import type { ImportReport } from '../../application/memory/importReport.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { type AnyOperation, type Caller, defineOperation } from '../operation.ts';
import { itemsOfLine, itemsOfSession } from './importShapes.ts';

const area = 'memory';
const sources = ['claude-code', 'cursor', 'windsurf', 'aider', 'copilot', 'conversation', 'export'] as const;

/** What is not as it should be inside is told of item by item, and costs the others nothing. */
const content = lazily(() =>
  z.union([z.object({ sessions: z.array(z.unknown()).max(10_000) }), z.string().max(1_000_000)]),
);

const report = lazily(() =>
  z.object({
    imported: z.int(),
    skipped: z.int().describe('Known already'),
    failed: z.int().describe('Not imported; `issues` says why'),
    conflicts: z
      .int()
      .describe('Where something else was known under the same name: what was known stays, beside what came'),
    episodes: z.int(),
    conclusions: z.int(),
    entities: z.int().describe('Of an export; those that are found in conversations come a moment later'),
    issues: z.array(z.object({ item: z.string(), message: z.string() })).readonly(),
    preview: z
      .array(z.object({ kind: z.string(), text: z.string() }))
      .readonly()
      .describe('The first few of what was taken in, or would be'),
  }),
);

const sourceView = lazily(() =>
  z.object({
    id: z.enum(sources),
    name: z.string(),
    path: z
      .string()
      .describe('Where it is looked for first; projects are looked for below SERVICE_IMPORT_ROOTS'),
    available: z.boolean(),
    items: z.int().describe('What could be taken in from there now'),
  }),
);

interface ImportDependencies {
  readonly clock: () => number;
  /** Throws when there is no memory now. */
  readonly importItems: (
    items: AsyncIterable<ImportItem>,
    caller: Caller,
    how: ImportWays,
  ) => Promise<ImportReport>;
  /** What other tools remember on this machine. A path that is none of theirs is refused. */
  readonly foreign: () => Promise<Foreign>;
}

export type ImportWays = Pick<ImportContext, 'dryRun' | 'speakers'>;

interface Foreign {
  sources(): Promise<
    readonly { id: string; name: string; path: string; available: boolean; items: number }[]
  >;
  read(source: string, path?: string): Promise<AsyncIterable<ImportItem>>;
  lines(path: string): Promise<AsyncIterable<string>>;
}

/** Memory that comes from elsewhere. */
export function memoryImportOperations(parts: ImportDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'memory.sources',
      area,
      device: 'never',
      summary: 'The sources that memory can be imported from',
      description:
        'Other tools are looked for in the home directory of who runs the service, and in the projects of ' +
        '`SERVICE_IMPORT_ROOTS`. For `conversation` and `export`, what is waiting in the folder `import` of the ' +
        'data directory; both also take what the request itself brings.',
      rest: { method: 'GET', path: '/api/memory/sources' },
      input: () => z.object({}),
      output: () => z.object({ sources: z.array(sourceView()) }),
      errors: [],
      example: { input: {} },
      async run() {
        const sources = await (await parts.foreign()).sources();
        return { sources: sources.map((source) => sourceView().parse(source)) };
      },
    }),
    defineOperation({
      name: 'memory.import',
      area,
      device: 'never',
      summary: 'Imports conversations and memories from elsewhere',
      description:
        'With `dryRun` nothing is kept, and the answer says what would be. Importing the same again adds nothing. ' +
        'Conversations come as `{sessions: [{id, startedAt, messages: [{role, name?, content, timestamp?}]}]}`, ' +
        'an export as its text; both also by the `path` of a file in `import` of the data directory or in ' +
        '`SERVICE_IMPORT_ROOTS`. What other tools remember is read from their known places, or those of them ' +
        'that lie at `path`. Where several names speak with the role `user`, only the name in `speaker`, or else one ' +
        'that is known to be the name of the user, counts as the user.',
      rest: { method: 'POST', path: '/api/memory/import' },
      input: () =>
        z.object({
          source: z.enum(sources),
          path: z.string().min(1).max(4_096).optional(),
          content: content().optional(),
          dryRun: z.boolean().default(false),
          speaker: z
            .string()
            .min(1)
            .max(200)
            .optional()
            .describe('The name by which the user speaks in conversations'),
        }),
      output: report,
      errors: ['VALIDATION_FAILED', 'FORBIDDEN', 'KVSTORE_UNAVAILABLE'],
      example: {
        input: {
          source: 'conversation',
          content: {
            sessions: [
              {
                id: 'holiday',
                startedAt: 1_700_000_000_000,
                messages: [
                  { role: 'user', content: 'I moved to Oslo in March.' },
                  { role: 'assistant', content: 'How do you like it there?' },
                ],
              },
            ],
          },
        },
      },
      async run({ dryRun, speaker, ...asked }, caller) {
        // Only conversations name who speaks.
        const named = asked.source === 'conversation' ? await itemsAsked(asked, parts) : [];
        const speakers = await ImportedSpeakers.among(named, speaker);
        return parts.importItems(await itemsAsked(asked, parts), caller, { dryRun, speakers });
      },
    }),
  ];
}

interface Asked {
  readonly source: (typeof sources)[number];
  readonly path?: string | undefined;
  readonly content?: z.output<ReturnType<typeof content>> | undefined;
}

async function itemsAsked(
  { source, path, content: given }: Asked,
  { foreign, clock }: ImportDependencies,
): Promise<AsyncIterable<ImportItem>> {
  const isOurs = source === 'conversation' || source === 'export';
  if (!isOurs && given !== undefined) throw refusal('content', 'This source is read where the tool keeps it');
  if (!isOurs) return (await foreign()).read(source, path);
  if (path !== undefined && given !== undefined) throw refusal('path', 'Either this or the content');
  if (path === undefined && given === undefined) throw refusal('content', 'Needed for this source');
  if (source === 'export' && typeof given === 'object')
    throw refusal('content', 'The text of an export, as a string');
  if (typeof given === 'object') return sessionsIn(given.sessions, clock());
  const lines = path === undefined ? splitLines(given ?? '') : await (await foreign()).lines(path);
  if (source === 'export') return eachLine(lines, itemsOfLine);
  const isOneDocument = path?.endsWith('.json') ?? !isLines(given);
  return sessionsOf(isOneDocument ? asOne(lines) : lines, clock());
}

async function* sessionsIn(sessions: readonly unknown[], now: number): AsyncGenerator<ImportItem> {
  for (const [index, session] of sessions.entries()) yield* itemsOfSession(session, index + 1, now);
}

/** All of them as one document of JSON, or one a line. */
async function* sessionsOf(lines: AsyncIterable<string>, now: number): AsyncGenerator<ImportItem> {
  yield* eachLine(lines, (line, number) => {
    if (line.trim() === '') return [];
    const given = jsonIn(line);
    if (given === undefined)
      return [{ kind: 'unusable', item: `line ${number}`, reason: 'Not a line of valid JSON, or cut off' }];
    const whole = content().safeParse(given);
    const sessions = whole.success && typeof whole.data === 'object' ? whole.data.sessions : [given];
    return sessions.flatMap((session, index) => [...itemsOfSession(session, number + index, now)]);
  });
}

async function* eachLine(
  lines: AsyncIterable<string>,
  read: (line: string, number: number) => Iterable<ImportItem>,
): AsyncGenerator<ImportItem> {
  let number = 0;
  try {
    for await (const line of lines) yield* read(line, ++number);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'Unreadable') throw error;
    yield { kind: 'unusable', item: `after line ${number}`, reason: error.message };
  }
}

/** Several documents of JSON, one a line: else the first line alone would be none. */
function isLines(text = ''): boolean {
  const [first = ''] = text.trimStart().split('\n', 1);
  return jsonIn(first) !== undefined;
}

const LONGEST_DOCUMENT = 2 ** 20;

/** One document over several lines. It is read as a whole, and so may not be long. */
async function* asOne(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const line of lines) {
    text += `${line}\n`;
    // What is cut off does not read as JSON, and is told of as such.
    if (text.length > LONGEST_DOCUMENT) break;
  }
  yield text;
}

async function* splitLines(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + 1;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(field: string, message: string): HarkError {
  return new HarkError('VALIDATION_FAILED', { body: { issues: [{ path: [field], message }] } });
}
