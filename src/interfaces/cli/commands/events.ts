import type { Command } from 'commander';
import { z } from 'zod';
import { EventStream, sayLost } from '../eventStream.ts';
import { CliFailure, type Envelope, envelopeRow, envelopeSchema, envelopeWidths } from '../failure.ts';
import { globalOptions, readOptions, wholeNumber } from '../options.ts';
import { printJsonLine, printRows } from '../output.ts';
import { RestClient } from '../restClient.ts';

const MOST_AT_ONCE = 1_000;

const listOptions = z.object({
  stream: z.string().min(1, 'must not be empty').optional(),
  type: z.string().min(1, 'must not be empty').optional(),
  after: wholeNumber.optional(),
  limit: wholeNumber.pipe(z.number().min(1, 'must be at least 1')).default(100),
});

const answerSchema = z.object({ events: z.array(envelopeSchema), next: z.number().nullish() });

export function addListEvents(events: Command): void {
  events
    .command('list')
    .description('events of the log, oldest first')
    .option('--stream <stream>', 'only this stream')
    .option('--type <type>', 'only this type')
    .option('--after <position>', 'only what came after this position')
    .option('--limit <count>', 'at most this many (default: 100)')
    .action((_options: unknown, command: Command) => listEvents(command));
}

async function listEvents(command: Command): Promise<void> {
  const { json } = globalOptions(command);
  for await (const page of pages(command)) {
    if (json) for (const event of page) printJsonLine(event);
    else printRows(page.map(envelopeRow), envelopeWidths);
  }
}

/** As many pages as it takes: the service gives only so many events at once. */
async function* pages(command: Command): AsyncGenerator<readonly Envelope[]> {
  const client = new RestClient(globalOptions(command));
  const { stream, type, limit, ...range } = readOptions(command, listOptions);
  let { after } = range;
  for (let wanted = limit; wanted > 0; ) {
    const query = { stream, type, after, limit: Math.min(MOST_AT_ONCE, wanted) };
    const { events, next } = await client.get('api/events', answerSchema, query);
    yield events.slice(0, wanted);
    wanted -= events.length;
    if (typeof next !== 'number' || next === after || events.length === 0) return;
    after = next;
  }
}

const position = z.string().regex(/^\d{1,15}$/, 'must be a position');
const tailOptions = z.object({ topics: z.string().optional(), after: position.optional() });

export function addTailEvents(events: Command): void {
  events
    .command('tail')
    .description('events as they happen, until interrupted')
    .option('--topics <topics>', 'only these, comma-separated; memory.* for all of an area')
    .option('--after <position>', 'start after this position instead of now')
    .action((_options: unknown, command: Command) => tailEvents(command));
}

async function tailEvents(command: Command): Promise<void> {
  const { json, ...service } = globalOptions(command);
  const client = new RestClient(service);
  const query = { ...readOptions(command, tailOptions) };
  const stream = new EventStream({
    connect: (headers, signal) => client.request('api/events/stream', { query, headers }, signal),
    onLost: sayLost,
  });
  for await (const { data } of stream.messages()) {
    const event = parse(data);
    if (json) printJsonLine(event);
    else printRows([envelopeRow(event)], envelopeWidths);
  }
}

function parse(data: string): z.output<typeof envelopeSchema> {
  try {
    return envelopeSchema.parse(JSON.parse(data));
  } catch {
    throw new CliFailure('The service sent an invalid event');
  }
}
