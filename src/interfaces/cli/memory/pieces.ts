import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text as allOf } from 'node:stream/consumers';
import { z } from 'zod';
import { CliFailure, wrongUsage } from '../failure.ts';

/** What goes in one request, and how many lines or sessions went before it. */
export interface Piece {
  readonly content: string | { readonly sessions: readonly unknown[] };
  readonly before: number;
}

/** Below what a request may be, with room for what JSON spells out of what is quoted in it. */
const MOST_BYTES = 800_000;

/** A file as the requests that it takes. */
export async function* piecesOf(source: 'conversation' | 'export', file: string): AsyncGenerator<Piece> {
  if (source === 'export') yield* grouped(linesIn(file), (lines) => lines.join('\n'));
  else yield* grouped(sessionsIn(file), (sessions) => ({ sessions }));
}

async function* grouped<Item>(
  items: AsyncIterable<Item>,
  contentOf: (items: readonly Item[]) => Piece['content'],
): AsyncGenerator<Piece> {
  let group: Item[] = [];
  let bytes = 0;
  let before = 0;
  for await (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 2;
    if (size > MOST_BYTES)
      throw new CliFailure(`Number ${before + group.length + 1} alone is larger than a request may be`);
    if (bytes + size > MOST_BYTES) {
      yield { content: contentOf(group), before };
      before += group.length;
      group = [];
      bytes = 0;
    }
    group.push(item);
    bytes += size;
  }
  if (group.length > 0) yield { content: contentOf(group), before };
}

async function* linesIn(file: string): AsyncGenerator<string> {
  const input = open(file);
  // Said at once, and not where nobody waits for it.
  const broken = new Promise<never>((_resolve, reject) =>
    input.once('error', (error: NodeJS.ErrnoException) => reject(unreadable(file, error))),
  );
  broken.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await Promise.race([lines.next(), broken]);
    if (done) break;
    yield value;
  }
  if (input.errored) throw unreadable(file, input.errored);
}

const document = z.looseObject({ sessions: z.array(z.unknown()) });

/** One document with all of them, or one a line. */
async function* sessionsIn(file: string): AsyncGenerator<unknown> {
  const text = await allOf(open(file)).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(file, error);
  });
  const whole = parse(text);
  const parsed = document.safeParse(whole);
  if (parsed.success) yield* parsed.data.sessions;
  else if (whole !== undefined) yield whole;
  else yield* eachLine(file, text);
}

/** A line that is no JSON goes along: the service counts it among what failed. */
function eachLine(file: string, text: string): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const sessions = lines.map((line) => parse(line) ?? null);
  if (lines.length > 0 && sessions.every((session) => session === null))
    throw new CliFailure(`${file}: Neither JSON nor JSON lines`);
  return sessions;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function open(file: string): Readable {
  if (file !== '-') return createReadStream(file);
  if (process.stdin.isTTY === true) throw wrongUsage('import: the standard input is empty');
  return process.stdin;
}

function unreadable(file: string, { code, message }: NodeJS.ErrnoException): CliFailure {
  return new CliFailure(`${file}: ${code === 'ENOENT' ? 'The file does not exist' : (code ?? message)}`);
}
