import type { Command } from 'commander';
import { z } from 'zod';
import { envelopeRow, envelopeSchema, envelopeWidths } from '../envelope.ts';
import { EventStream, sayLost } from '../eventStream.ts';
import { CliFailure } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { printJsonLine, printRows } from '../output.ts';
import { RestClient } from '../restClient.ts';

const position = z.string().regex(/^\d{1,15}$/, 'must be a position');
const optionsSchema = z.object({ topics: z.string().optional(), after: position.optional() });

export function addTailEvents(events: Command): void {
  events
    .command('tail')
    .description('events as they happen, until interrupted')
    .option('--topics <topics>', 'only these, comma-separated; memory.* for all of an area')
    .option('--after <position>', 'begin behind this position instead of now')
    .action((_options: unknown, command: Command) => tailEvents(command));
}

async function tailEvents(command: Command): Promise<void> {
  const { json, ...service } = globalOptions(command);
  const client = new RestClient(service);
  const query = { ...readOptions(command, optionsSchema) };
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
    throw new CliFailure('The service sent an event that is none');
  }
}
