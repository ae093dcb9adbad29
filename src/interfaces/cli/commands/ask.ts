import { text as allOf } from 'node:stream/consumers';
import type { Command } from 'commander';
import { z } from 'zod';
import { ID_PATTERN } from '../../operation.ts';
import { FollowedTurn, interruptible, type TurnMessage } from '../chat/followedTurn.ts';
import { TurnView } from '../chat/turnView.ts';
import { CliFailure, wrongUsage } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { printDocument } from '../output.ts';
import { RestClient } from '../restClient.ts';
import { addSessionOption, sessionOf } from '../session.ts';
import { addUserOption, namedUser, whoAsks } from '../user.ts';

const optionsSchema = z.object({
  replaces: z.string().regex(ID_PATTERN, 'must be the id of a turn').optional(),
});

export function addAsk(program: Command): void {
  const command = program
    .command('ask')
    .description('say one thing, and print the reply')
    .argument('<words...>', 'what to say; - reads it from the standard input');
  command.option('--replaces <turnId>', 'turn of the session in whose place it stands');
  addSessionOption(addUserOption(command, whoAsks), 'none').action(
    (words: string[], _options: unknown, invoked: Command) => ask(words.join(' '), invoked),
  );
}

async function ask(words: string, command: Command): Promise<void> {
  const { json, ...service } = globalOptions(command);
  const client = new RestClient({ ...service, user: namedUser(command) });
  const text = words === '-' ? await allOf(process.stdin) : words;
  if (text.trim() === '') throw wrongUsage('ask: there is no text');
  const { replaces } = readOptions(command, optionsSchema);
  const sessionId = sessionOf(command);
  if (replaces !== undefined && sessionId === undefined) throw wrongUsage('ask: --replaces needs --session');
  const turn = new FollowedTurn(client, { text, sessionId, replaces });
  const signals = interruptible(turn);
  if (json) printDocument(await wholeOf(signals));
  else await print(signals);
}

async function print(signals: AsyncIterable<TurnMessage>): Promise<void> {
  // What goes into a file or a pipe is the reply alone.
  const showsWork = process.stdout.isTTY === true;
  const view = new TurnView({ write: (text) => process.stdout.write(text), showsWork });
  try {
    for await (const signal of signals) {
      view.show(signal);
      if (signal.type === 'error') throw failed(signal);
    }
  } finally {
    view.end();
  }
}

/** As `POST /api/chat` answers. */
async function wholeOf(signals: AsyncIterable<TurnMessage>): Promise<object> {
  let text = '';
  for await (const signal of signals) {
    if (signal.type === 'step') text = '';
    if (signal.type === 'content') text += signal.content;
    if (signal.type === 'error') throw failed(signal);
    if (signal.type !== 'done') continue;
    const { sessionId } = signal.metadata;
    return {
      text,
      ...(sessionId === undefined ? {} : { sessionId }),
      platform: 'cli',
      metadata: signal.metadata,
    };
  }
  throw new CliFailure('The stream ended before the turn did');
}

function failed({ code, message }: Extract<TurnMessage, { type: 'error' }>): CliFailure {
  return new CliFailure(`${code}: ${message}`);
}
