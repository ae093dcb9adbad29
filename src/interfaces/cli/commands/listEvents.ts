import type { Command } from 'commander';
import { z } from 'zod';
import { type Envelope, envelopeRow, envelopeSchema, envelopeWidths } from '../envelope.ts';
import { globalOptions, readOptions, wholeNumber } from '../options.ts';
import { printJsonLine, printRows } from '../output.ts';
import { RestClient } from '../restClient.ts';

const MOST_AT_ONCE = 1_000;

const optionsSchema = z.object({
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
  const { stream, type, limit, ...range } = readOptions(command, optionsSchema);
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
