import type { Command } from 'commander';
import { z } from 'zod';
import { EventStream, sayLost } from '../eventStream.ts';
import { CliFailure } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printable, printDocument, printJsonLine, printRows } from '../output.ts';
import { clientOf } from '../restClient.ts';

const MODELS = 'api/models';
/** Deleting waits until nobody uses the model any more, and a benchmark for all that it measures. */
const LONG_MS = 180_000;
/** A line that is written over, and what clears the rest of it. */
const OVER = '\r\u001b[K';

const model = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  sizeMb: z.number(),
  downloaded: z.boolean(),
  downloading: z.boolean(),
  builtIn: z.boolean(),
  licence: z.string(),
  languages: z.array(z.string()),
  sha256: z.string().nullable(),
});
const listed = z.looseObject({ models: z.array(model) });
const told = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('progress'), percent: z.number(), total: z.number(), phase: z.string() }),
  z.looseObject({ type: z.literal('complete'), durationMs: z.number() }),
  z.looseObject({ type: z.literal('error'), error: z.string(), retryable: z.boolean() }),
]);
const removed = z.looseObject({ success: z.literal(true) });
const measured = z.looseObject({
  realTimeFactor: z.number(),
  firstAudioMs: z.number().optional(),
  peakMb: z.number(),
  wordErrorRate: z.number().optional(),
});

const listOptions = z.object({ type: z.string().optional(), here: z.boolean().optional() });
const downloadOptions = z.object({ confirm: z.boolean().optional() });

export function addModels(program: Command): void {
  const models = program.command('models').description('models that hear, speak and judge on this machine');
  models
    .command('list')
    .description('what there is, with size, languages and licence, and what of it is here')
    .option('--type <type>', 'stt, tts, vad, wake, embedding or nli')
    .option('--here', 'only what is here')
    .action((_options: unknown, command: Command) => list(command));
  models
    .command('download')
    .description('bring one; it goes on where it ended, and in the service when this command is ended')
    .argument('<id>', 'of a model')
    .option('--confirm', 'also where no checksum of it is publicly known')
    .action((id: string, _options: unknown, command: Command) => download(id, command));
  models
    .command('remove')
    .description('delete one, or end its download')
    .argument('<id>', 'of a model')
    .action((id: string, _options: unknown, command: Command) => remove(id, command));
  models
    .command('benchmark')
    .description('how fast one is on this machine, how much memory it takes, and how often it errs')
    .argument('<id>', 'of a model')
    .action((id: string, _options: unknown, command: Command) => benchmark(id, command));
}

async function list(command: Command): Promise<void> {
  const { type, here = false } = readOptions(command, listOptions);
  const answer = await clientOf(command).get(MODELS, listed);
  const models = answer.models.filter(
    (one) => (type === undefined || one.type === type) && (one.downloaded || !here),
  );
  if (globalOptions(command).json) return printDocument({ ...answer, models });
  if (models.length === 0) print('nothing');
  else printRows(models.map(rowOf));
}

function rowOf(one: z.output<typeof model>): string[] {
  const { id, name, type, sizeMb, languages, licence, sha256 } = one;
  const notes = sha256 === null ? ', without a checksum' : '';
  return [stateOf(one), type, id, `${sizeMb} MB`, shortened(languages), `${name} (${licence}${notes})`];
}

function stateOf({ builtIn, downloaded, downloading }: z.output<typeof model>): string {
  if (builtIn) return 'built in';
  if (downloading) return 'coming';
  return downloaded ? 'here' : '–';
}

function shortened(languages: readonly string[]): string {
  if (languages.includes('*')) return 'any';
  const more = languages.length - 3;
  return more > 1 ? `${languages.slice(0, 3).join(' ')} +${more}` : languages.join(' ') || '–';
}

async function download(modelId: string, command: Command): Promise<void> {
  const { confirm = false } = readOptions(command, downloadOptions);
  const client = clientOf(command);
  const body = { modelId, ...(confirm ? { confirm } : {}) };
  const stream = new EventStream({
    connect: (headers, signal) =>
      client.request(`${MODELS}/download`, { method: 'POST', headers, body }, signal),
    onLost: sayLost,
  });
  const { json } = globalOptions(command);
  const shows = process.stdout.isTTY === true && !json;
  for await (const { data } of stream.messages()) {
    const message = told.safeParse(JSON.parse(data)).data;
    if (!message) continue;
    if (json) printJsonLine(message);
    if (message.type === 'progress') {
      const { percent, total, phase } = message;
      if (shows) showOver(`${modelId}  ${percent.toFixed(1)} % of ${megabytes(total)}  ${wordsOf(phase)}`);
      continue;
    }
    if (shows) showOver('');
    if (message.type === 'error') {
      const again = message.retryable ? ': the same command goes on with it' : '';
      throw new CliFailure(`${modelId} did not come. ${message.error}${again}`);
    }
    if (!json) print(`${modelId} is here`);
    return;
  }
}

/** In place of what was shown before. */
function showOver(line: string): void {
  process.stdout.write(`${OVER}${printable(line)}`);
}

function wordsOf(phase: string): string {
  return phase === 'downloading' ? '' : phase;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

async function remove(modelId: string, command: Command): Promise<void> {
  const sent = { method: 'DELETE', timeoutMs: LONG_MS } as const;
  const answer = await clientOf(command).ask(pathOf(modelId), removed, sent);
  if (globalOptions(command).json) printDocument(answer);
  else print(`${modelId} is deleted`);
}

async function benchmark(modelId: string, command: Command): Promise<void> {
  const sent = { method: 'POST', body: {}, timeoutMs: LONG_MS } as const;
  const answer = await clientOf(command).ask(`${pathOf(modelId)}/benchmark`, measured, sent);
  if (globalOptions(command).json) return printDocument(answer);
  const { realTimeFactor, firstAudioMs, peakMb, wordErrorRate } = answer;
  const rows = [['real time factor', `${realTimeFactor} (below 1 is faster than speech)`]];
  if (firstAudioMs !== undefined) rows.push(['first audio', `${Math.round(firstAudioMs)} ms`]);
  rows.push(['memory', `${Math.round(peakMb)} MB at most`]);
  if (wordErrorRate !== undefined) rows.push(['wrong words', `${(100 * wordErrorRate).toFixed(1)} %`]);
  printRows(rows);
}

function pathOf(modelId: string): string {
  return `${MODELS}/${encodeURIComponent(modelId)}`;
}
