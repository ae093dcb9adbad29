import { type Command, Option } from 'commander';
import { z } from 'zod';
import type { Config } from '../../../config.ts';
import { providerNamed } from '../../../vocabulary.ts';
import { wrongUsage } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument, toned } from '../output.ts';
import { ownService } from '../ownService.ts';
import { confirm, requireTerminal } from '../prompt.ts';
import { tellSomething } from '../setup/memory.ts';
import { chooseModel, type ModelWish, takeModel } from '../setup/model.ts';
import { chooseReach } from '../setup/reach.ts';
import { isWithoutStore, type SetupProgress, SetupService } from '../setup/service.ts';

const steps = ['model', 'memory', 'reach'] as const;
type Step = (typeof steps)[number];

const titles: Readonly<Record<Step, string>> = {
  model: 'A model that answers',
  memory: 'What hark remembers',
  reach: 'Who can reach it',
};

const optionsSchema = z.object({
  provider: z
    .string()
    .transform((named) => providerNamed(named.toLowerCase()))
    .refine((provider) => provider !== undefined, 'is anthropic, openai, openrouter or ollama')
    .optional(),
  keyFile: z.string().optional(),
  model: z.string().min(1).max(200).optional(),
  skip: z
    .string()
    .transform((list) => list.split(',').map((step) => step.trim()))
    .pipe(z.array(z.enum(steps, `is a list of ${steps.join(', ')}`)))
    .default([]),
});

export function addSetup(program: Command): void {
  program
    .command('setup')
    .description('set a running service up: a model, memory, reach; each can be skipped and done again')
    .addOption(new Option('--provider <provider>', 'anthropic, openai, openrouter or ollama'))
    .addOption(new Option('--key-file <file>', 'file that holds its key'))
    .addOption(new Option('--model <model>', 'of that provider (default: as auto-configuration chooses)'))
    .addOption(new Option('--skip <steps>', 'model, memory, reach'))
    .action((_options: unknown, command: Command) => setup(command));
}

async function setup(command: Command): Promise<void> {
  const { provider, keyFile, model, skip } = readOptions(command, optionsSchema);
  if (provider === undefined && (keyFile ?? model) !== undefined)
    throw wrongUsage('setup: --key-file and --model need --provider');
  const { json, ...named } = globalOptions(command);
  if (!json) requireTerminal('setup asks at a terminal; elsewhere: hark setup --json');
  const { config, apiKey } = ownService();
  const service = new SetupService({ apiKey, ...named });
  const before = await service.status();
  if (provider !== undefined)
    await takeModel(service, config, { provider, keyFile, model } satisfies ModelWish);
  for (const step of skip) await service.set(step, 'skipped');
  if (json) return printDocument({ steps: (await service.status()).steps });
  const asked = steps.filter((step) => !skip.includes(step) && !(step === 'model' && provider !== undefined));
  await walk(service, config, before, asked);
}

/** Each step that is asked about; one that is done can be done again. */
async function walk(
  service: SetupService,
  config: Config,
  { steps: known, claimRequired }: SetupProgress,
  asked: readonly Step[],
): Promise<void> {
  print(toned('dim', 'Every step can be skipped, and hark setup goes on where you left.'));
  for (const [index, step] of asked.entries()) {
    print(`\n${toned('bold', `${index + 1}. ${titles[step]}`)}`);
    const state = known.find(({ id }) => id === step)?.state ?? 'open';
    if (state !== 'open' && !(await confirm(`This is ${state}. Again?`, false))) continue;
    const outcome = await ask(step, service, config, !claimRequired);
    if (outcome === 'skipped' || step === 'reach') await say(service, step, outcome);
  }
  print('\nThat is all. Talk to it: hark chat, or by voice: hark talk');
}

function ask(
  step: Step,
  service: SetupService,
  config: Config,
  hasKey: boolean,
): Promise<'done' | 'skipped'> {
  switch (step) {
    case 'model':
      return chooseModel(service, config);
    case 'memory':
      return tellSomething(service.client);
    case 'reach':
      return chooseReach(hasKey);
  }
}

/** Without its store the service forgets what was said, and works all the same. */
async function say(service: SetupService, step: Step, state: 'done' | 'skipped'): Promise<void> {
  try {
    await service.set(step, state);
  } catch (error) {
    if (!isWithoutStore(error)) throw error;
    print(toned('dim', '   Not kept: the service has no store'));
  }
}
