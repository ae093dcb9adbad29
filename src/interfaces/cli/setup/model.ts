import { readFile } from 'node:fs/promises';
import type { Config } from '../../../config.ts';
import { providerIds, providerLabels } from '../../../vocabulary.ts';
import { CliFailure } from '../failure.ts';
import { print, printable, prose, toned } from '../output.ts';
import { ask, choose, confirm } from '../prompt.ts';
import { keepSecret } from '../secrets.ts';
import type { Provider, SetupService, Trial } from './service.ts';

type Hosted = Exclude<Provider, 'local-runner'>;

const VARIABLES = {
  'cloud-a': 'ANTHROPIC_API_KEY',
  'cloud-b': 'OPENAI_API_KEY',
  gateway: 'OPENROUTER_API_KEY',
} as const satisfies Record<Hosted, string>;

const hosted = providerIds.filter((id) => id !== 'local-runner');

interface Choice {
  readonly label: string;
  readonly provider?: Provider;
  /** Not the service's yet. */
  readonly apiKey?: string | undefined;
  readonly isNew?: true;
}

/** Until a model has answered, or somebody goes on without one. */
export async function chooseModel(service: SetupService, environment: Config): Promise<'done' | 'skipped'> {
  const found = await findModels(service, environment);
  const without = { label: 'Go on without a model: memory, search and reminders work without one' };
  const entered = hosted.map((provider): Choice => {
    return { label: `Enter a key of ${providerLabels[provider]}`, provider, isNew: true };
  });
  // What was found first; nothing costs a key that somebody has to get.
  const [first = without, ...rest] = [...found, without, ...entered];
  for (;;) {
    const chosen: Choice = await choose([first, ...rest]);
    if (chosen.provider === undefined) return 'skipped';
    const { provider } = chosen;
    const apiKey = chosen.isNew ? await enteredKey(provider) : chosen.apiKey;
    if (chosen.isNew && apiKey === undefined) continue;
    if (await prove(service, provider, apiKey)) return 'done';
  }
}

async function enteredKey(provider: Provider): Promise<string | undefined> {
  const key = await ask(`   Key of ${providerLabels[provider]} (it is not shown): `, { isSecret: true });
  if (key === '') return undefined;
  keepSecret(key);
  return key;
}

/** Keys that the service has, keys that only this terminal has, and Ollama. */
async function findModels(service: SetupService, environment: Config): Promise<readonly Choice[]> {
  const [sources, runner] = await Promise.all([service.keySources(), service.runner()]);
  const keyed = hosted.flatMap((provider): Choice[] => {
    const name = providerLabels[provider];
    const variable = VARIABLES[provider];
    const source = sources.get(provider);
    if (source === 'stored') return [{ label: `${name}: its key is stored`, provider }];
    if (source === 'environment') return [{ label: `${name}: key from ${variable}`, provider }];
    const apiKey = environment[variable];
    if (apiKey === undefined) return [];
    keepSecret(apiKey);
    return [
      { label: `${name}: store the key in ${variable} here, which the service lacks`, provider, apiKey },
    ];
  });
  if (!runner.running) {
    if (runner.installed) print(toned('dim', `   Ollama is installed and does not run: ollama serve`));
    return keyed;
  }
  const count = runner.models?.length ?? 0;
  const label = count > 0 ? `Ollama on this machine, with ${count} models` : 'Ollama, which has no model yet';
  return [...keyed, { label, provider: 'local-runner' }];
}

/** True once it is saved. Another model of the provider may be tried in its place. */
async function prove(
  service: SetupService,
  provider: Provider,
  apiKey: string | undefined,
): Promise<boolean> {
  let model: string | undefined;
  for (;;) {
    print(toned('dim', '   Asking one short question …'));
    const trial = await service.try({ provider, apiKey, ...(model === undefined ? {} : { model }) });
    tell(trial);
    if (trial.ok && (await confirm('Use it?', true))) {
      await service.save({ provider, apiKey, model: trial.model });
      print(`   Saved: ${printable(trial.model ?? '')} answers`);
      return true;
    }
    if (trial.model === undefined) return false;
    const other = await ask(`   Another model of ${trial.label}, by its name (Enter goes back): `);
    if (other === '') return false;
    model = other;
  }
}

function tell(trial: Trial): void {
  if (!trial.ok) {
    print(
      `   ${toned('red', 'No answer')}: ${printable([trial.model, trial.error].filter(Boolean).join(': '))}`,
    );
    return;
  }
  print(`   ${toned('green', printable(`${trial.label}, ${trial.model}`))}: ${prose(trial.answer ?? '')}`);
  print(toned('dim', `   ${((trial.ms ?? 0) / 1_000).toFixed(1)} s; ${priceOf(trial)}`));
}

function priceOf({ pricing, costUsd }: Trial): string {
  if (costUsd === 0) return 'it runs on your machine and costs nothing';
  if (!pricing) return 'the provider names no price';
  const cost = costUsd === undefined || costUsd === null ? '' : `; this answer: $${costUsd.toFixed(6)}`;
  return `a million tokens cost $${pricing.inputPer1M} in and $${pricing.outputPer1M} out${cost}`;
}

export interface ModelWish {
  readonly provider: Provider;
  readonly keyFile?: string | undefined;
  readonly model?: string | undefined;
}

/** The same for who asks nothing. */
export async function takeModel(service: SetupService, environment: Config, wish: ModelWish): Promise<void> {
  const { provider, keyFile, model } = wish;
  const apiKey = keyFile === undefined ? await ownKey(service, environment, provider) : await keyIn(keyFile);
  if (apiKey !== undefined) keepSecret(apiKey);
  const trial = await service.try({ provider, apiKey, model });
  if (!trial.ok) {
    const what = [trial.label, trial.model].filter(Boolean).join(', ');
    throw new CliFailure(`${what}: ${trial.error ?? 'no answer'}. Nothing was saved`);
  }
  await service.save({ provider, apiKey, model: trial.model });
}

async function ownKey(
  service: SetupService,
  environment: Config,
  provider: Provider,
): Promise<string | undefined> {
  if (provider === 'local-runner' || (await service.keySources()).has(provider)) return undefined;
  return environment[VARIABLES[provider]];
}

async function keyIn(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch(() => {
    throw new CliFailure(`${file} cannot be read`);
  });
  const key = content.trim();
  if (key === '') throw new CliFailure(`${file} is empty`);
  return key;
}
