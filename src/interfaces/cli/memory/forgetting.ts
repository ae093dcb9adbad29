import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { clientOf } from '../client.ts';
import { wrongUsage } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument } from '../output.ts';
import { addUserOption, whoAsks } from '../user.ts';
import { idOf } from './believing.ts';

const optionsSchema = z.object({
  episode: z.string().optional(),
  conclusion: z.string().optional(),
  all: z.boolean().default(false),
  yes: z.boolean().default(false),
});

export function addForgetting(memory: Command): void {
  const command = memory
    .command('forget')
    .description('erase for good what is remembered')
    .addOption(
      new Option('--episode <id>', 'an episode, with its conversation').conflicts(['conclusion', 'all']),
    )
    .addOption(new Option('--conclusion <id>', 'something that is believed').conflicts('all'))
    .option('--all', 'everything personal of the user')
    .option('--yes', 'do not ask first');
  addUserOption(command, whoAsks).action((_options: unknown, invoked: Command) => forget(invoked));
}

async function forget(command: Command): Promise<void> {
  const options = readOptions(command, optionsSchema);
  const { path, what } = targetOf(options);
  if (!options.yes && !(await isMeant(what))) return print('nothing was erased');
  const answer = await clientOf(command).ask(path, z.looseObject({}), { method: 'DELETE' });
  if (globalOptions(command).json) printDocument(answer);
  else print(`erased: ${what}`);
}

function targetOf({ episode, conclusion, all }: z.output<typeof optionsSchema>) {
  if (episode !== undefined)
    return {
      path: `api/memory/episodes/${idOf(episode)}`,
      what: `episode ${episode}, with its conversation and what is believed for no other reason`,
    };
  if (conclusion !== undefined)
    return { path: `api/memory/conclusions/${idOf(conclusion)}`, what: `conclusion ${conclusion}` };
  if (all) return { path: 'api/memory', what: 'everything personal of the user' };
  throw wrongUsage('forget: say what: --episode <id>, --conclusion <id> or --all');
}

/** Whoever is not there to ask has to say it beforehand. */
async function isMeant(what: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) throw wrongUsage('forget: nobody can be asked here; give --yes');
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await prompt.question(`Erase ${what}? It cannot be undone. [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}
