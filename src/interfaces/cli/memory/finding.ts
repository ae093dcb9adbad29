import type { Command } from 'commander';
import { z } from 'zod';
import { globalOptions, readOptions, wholeNumber } from '../options.ts';
import { counted, print, printDocument, printRows, prose, showTime, toned } from '../output.ts';
import { clientOf } from '../restClient.ts';
import { addUserOption, whoAsks } from '../user.ts';

/** A model may have to be asked. */
const ASK_TIMEOUT_MS = 120_000;

export function addFinding(memory: Command): void {
  const search = memory
    .command('search')
    .description('find episodes by what was said in them, best first')
    .argument('<words...>', 'what to look for')
    .option('--limit <count>', 'at most this many (default: 10)');
  addUserOption(search, whoAsks).action((words: string[], _options: unknown, invoked: Command) =>
    find(words.join(' '), invoked),
  );
  const ask = memory
    .command('ask')
    .description('answer a question from what is remembered')
    .argument('<question...>', 'about the user');
  addUserOption(ask, whoAsks).action((words: string[], _options: unknown, invoked: Command) =>
    answer(words.join(' '), invoked),
  );
  const context = memory
    .command('context')
    .description('what a model would be told of what is remembered')
    .argument('<words...>', 'what the user would say')
    .option('--budget <tokens>', 'at most this many tokens (default: as the service has it)');
  addUserOption(context, whoAsks).action((words: string[], _options: unknown, invoked: Command) =>
    assemble(words.join(' '), invoked),
  );
}

const found = z.looseObject({
  results: z.array(
    z.looseObject({
      id: z.string(),
      timestamp: z.number(),
      score: z.number(),
      summary: z.string(),
      match: z.looseObject({ text: z.string(), timestamp: z.number() }).optional(),
    }),
  ),
});

async function find(q: string, command: Command): Promise<void> {
  const { limit } = readOptions(command, z.object({ limit: wholeNumber.optional() }));
  const answer = await clientOf(command).get('api/memory/search', found, { q, limit });
  if (globalOptions(command).json) return printDocument(answer);
  if (answer.results.length === 0) return print('nothing found');
  printRows(
    answer.results.map(({ id, score, summary, timestamp, match }) => [
      showTime(match?.timestamp ?? timestamp),
      score.toFixed(2),
      id,
      match?.text ?? summary,
    ]),
  );
}

const answered = z.looseObject({ answer: z.string(), confidence: z.number(), sources: z.array(z.string()) });

async function answer(question: string, command: Command): Promise<void> {
  const sent = { method: 'POST', body: { question }, timeoutMs: ASK_TIMEOUT_MS } as const;
  const answer = await clientOf(command).ask('api/memory/ask', answered, sent);
  if (globalOptions(command).json) return printDocument(answer);
  print(prose(answer.answer));
  const from = answer.sources.length === 0 ? '' : `, from ${answer.sources.join(', ')}`;
  print(toned('dim', `confidence ${answer.confidence.toFixed(2)}${from}`));
}

const assembled = z.looseObject({ context: z.string(), tokens: z.number() });

async function assemble(query: string, command: Command): Promise<void> {
  const { budget } = readOptions(command, z.object({ budget: wholeNumber.optional() }));
  const body = { query, ...(budget === undefined ? {} : { budget }) };
  const answer = await clientOf(command).ask('api/memory/context', assembled, { method: 'POST', body });
  if (globalOptions(command).json) return printDocument(answer);
  print(answer.context === '' ? 'nothing' : prose(answer.context));
  print(toned('dim', counted(answer.tokens, 'token')));
}
