import type { Command } from 'commander';
import { z } from 'zod';
import { ID_PATTERN } from '../../operation.ts';
import { wrongUsage } from '../failure.ts';
import { parseMoment } from '../moment.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument, printRows, showTime } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

const share = z.string().regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be from 0 to 1');
const optionsSchema = z.object({
  type: z.enum(['explicit', 'inferred', 'corrected']).optional(),
  status: z.enum(['active', 'pruned', 'merged']).optional(),
  minConfidence: share.optional(),
  at: z.string().optional(),
});

const conclusion = z.looseObject({
  id: z.string(),
  text: z.string(),
  type: z.string(),
  confidence: z.number(),
  updatedAt: z.number(),
});

export function addBelieving(memory: Command): void {
  const conclusions = memory
    .command('conclusions')
    .description('what is believed of the user, most certain first')
    .option('--type <type>', 'explicit, inferred or corrected')
    .option('--status <status>', 'active (default), pruned or merged')
    .option('--min-confidence <share>', 'only what is at least so certain, from 0 to 1')
    .option('--at <time>', 'as it was believed then: Unix ms, ISO 8601 or "2h ago"');
  addUserOption(conclusions, whoAsks).action((_options: unknown, invoked: Command) => list(invoked));
  const why = memory
    .command('why')
    .description('why something is believed, back to the words of the user')
    .argument('<id>', 'of a conclusion');
  addUserOption(why, whoAsks).action((id: string, _options: unknown, invoked: Command) => trace(id, invoked));
}

async function list(command: Command): Promise<void> {
  const { at, ...chosen } = readOptions(command, optionsSchema);
  const query = { ...chosen, at: at === undefined ? undefined : timeOf(at) };
  const schema = z.looseObject({ conclusions: z.array(conclusion) });
  const answer = await clientOf(command).get('api/memory/conclusions', schema, query);
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.conclusions.length === 0) return print('nothing');
  printRows(
    answer.conclusions.map(({ id, text, type, confidence, updatedAt }) => [
      confidence.toFixed(2),
      type,
      showTime(updatedAt),
      id,
      text,
    ]),
  );
}

/** Nothing where it is now. */
function timeOf(text: string): number | undefined {
  const moment = parseMoment(text, Date.now());
  if (moment.kind === 'now') return undefined;
  if (moment.kind === 'time') return moment.at;
  throw wrongUsage('--at: is a time, not a position');
}

const traced = z.looseObject({
  conclusion,
  chain: z.array(
    z.looseObject({ position: z.number(), type: z.string(), at: z.number(), summary: z.string() }),
  ),
});

async function trace(id: string, command: Command): Promise<void> {
  const answer = await clientOf(command).get(`api/memory/conclusions/${idOf(id)}/why`, traced);
  if (globalOptions(command).json) return printDocument(answer);
  const { text, type, confidence } = answer.conclusion;
  printRows([[confidence.toFixed(2), type, text]]);
  print();
  printRows(
    answer.chain.map(({ position, at, type: event, summary }) => [
      `  ${position}`,
      showTime(at),
      event,
      summary,
    ]),
  );
}

/** As it may stand in a path. */
export function idOf(text: string): string {
  if (!ID_PATTERN.test(text)) throw wrongUsage('The id must be 1 to 128 letters, digits, _ or -');
  return text;
}
