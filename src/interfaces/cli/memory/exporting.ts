import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { spelledOut } from '../../../plainText.ts';
import { CliFailure } from '../failure.ts';
import { globalOptions } from '../options.ts';
import { counted, print, printDocument } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

const TIMEOUT_MS = 30 * 60_000;

export function addExporting(memory: Command): void {
  const command = memory
    .command('export')
    .description('all that is remembered, a line of JSON each')
    .argument(
      '[file]',
      'the new file, for its owner alone; nothing is overwritten (default, and -: standard output)',
    );
  addUserOption(command, whoAsks).action((file: string | undefined, _options: unknown, invoked: Command) =>
    exportTo(file === '-' ? undefined : file, invoked),
  );
}

async function exportTo(file: string | undefined, command: Command): Promise<void> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const { body } = await clientOf(command).request('api/memory/export', {}, timeout);
  if (!body) throw new CliFailure('The service sent no export');
  let lines = 0;
  const watched = Readable.fromWeb(body).map((chunk: Uint8Array) => {
    for (const byte of chunk) if (byte === 10) lines++;
    return chunk;
  });
  const saved =
    file === undefined
      ? pipeline(watched, spelling, process.stdout, { end: false })
      : pipeline(watched, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  await saved.catch((error: NodeJS.ErrnoException) => {
    throw new CliFailure(`${file ?? 'export'}: ${reasonOf(error)}`);
  });
  if (file === undefined) return;
  // The first line says what it is.
  const records = Math.max(0, lines - 1);
  if (globalOptions(command).json) printDocument({ file, records });
  else print(`${counted(records, 'record')} → ${file}`);
}

/** For a terminal; whoever reads the JSON from a pipe reads the same. */
async function* spelling(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield spelledOut(decoder.decode(chunk, { stream: true }), '\n');
  yield spelledOut(decoder.decode(), '\n');
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') return 'This file already exists';
  if (code === 'ENOENT') return 'The folder does not exist';
  return code === 'UND_ERR_SOCKET' || message === 'terminated'
    ? 'The connection was lost'
    : (code ?? message);
}
