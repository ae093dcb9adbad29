import { readFile } from 'node:fs/promises';
import { text as allOf } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { providerLabels, providerNamed } from '../../../vocabulary.ts';
import { CliFailure, wrongUsage } from '../failure.ts';
import { globalOptions, readOptions } from '../options.ts';
import { print, printDocument, printRows } from '../output.ts';
import { ask } from '../prompt.ts';
import { clientOf, type RestClient } from '../restClient.ts';

const KEYS = 'api/credentials';
/** Asking the provider takes as long as it lets us wait. */
const TIMEOUT_MS = 30_000;

const listed = z.looseObject({
  keys: z.array(
    z.looseObject({
      providerId: z.string(),
      label: z.string(),
      source: z.enum(['stored', 'environment', 'none']),
      variable: z.string(),
    }),
  ),
});
const done = z.looseObject({ success: z.literal(true), providerId: z.string() });
const tried = z.looseObject({ valid: z.boolean(), error: z.string().optional() });
const setupToken = z.looseObject({ token: z.string() });

const addOptions = z.object({ keyFile: z.string().optional(), check: z.boolean().default(true) });

export function addKeys(program: Command): void {
  const keys = program.command('keys').description('keys of model providers that a running service keeps');
  keys
    .command('list')
    .description('which providers have one, and where it comes from; never the key')
    .action((_options: unknown, command: Command) => list(command));
  keys
    .command('add')
    .description(
      'try a key and store it encrypted: asked for at a terminal, else read from the standard input',
    )
    .argument('<provider>', 'anthropic, openai or openrouter')
    .addOption(new Option('--key-file <file>', 'file that holds the key'))
    .option('--no-check', 'store it without asking the provider whether it takes the key')
    .action((provider: string, _options: unknown, command: Command) => add(provider, command));
  keys
    .command('remove')
    .description('remove a stored key; that of the environment counts again, if there is one')
    .argument('<provider>', 'anthropic, openai or openrouter')
    .action((provider: string, _options: unknown, command: Command) => remove(provider, command));
}

async function list(command: Command): Promise<void> {
  const answer = await clientOf(command).get(KEYS, listed);
  if (globalOptions(command).json) return printDocument(answer);
  printRows(answer.keys.map(({ label, source, variable }) => [label, whence(source, variable)]));
}

function whence(source: z.output<typeof listed>['keys'][number]['source'], variable: string): string {
  if (source === 'stored') return 'stored';
  return source === 'environment' ? `from ${variable}` : `no key (hark keys add, or ${variable})`;
}

async function add(named: string, command: Command): Promise<void> {
  const { keyFile, check } = readOptions(command, addOptions);
  const { providerId, label } = keyed(named);
  const client = clientOf(command);
  const apiKey = (await keyFor(label, keyFile)).trim();
  if (apiKey === '') throw wrongUsage('keys add: the key is empty');
  const body = { providerId, apiKey };
  if (check) {
    const answer = await client.ask(`${KEYS}/validate`, tried, {
      method: 'POST',
      body,
      timeoutMs: TIMEOUT_MS,
    });
    if (!answer.valid)
      throw new CliFailure(
        `${label} does not take this key: ${answer.error ?? 'it says no more'}. Nothing was stored`,
      );
  }
  const headers = await permission(client, command);
  const answer = await client.ask(KEYS, done, { method: 'POST', body, headers });
  if (globalOptions(command).json) printDocument(answer);
  else print(`The key of ${label} is stored${check ? '' : ' without a check'}`);
}

async function remove(named: string, command: Command): Promise<void> {
  const { providerId, label } = keyed(named);
  const answer = await clientOf(command).ask(`${KEYS}/${providerId}`, done, { method: 'DELETE' });
  if (globalOptions(command).json) printDocument(answer);
  else print(`The stored key of ${label} is removed`);
}

/** With no key of the service configured, whoever is on its machine shows a token that is made for them. */
async function permission(client: RestClient, command: Command): Promise<Readonly<Record<string, string>>> {
  if (globalOptions(command).apiKey !== undefined) return {};
  const { token } = await client.ask('api/setup-token', setupToken, { method: 'POST', body: {} });
  return { 'x-setup-token': token };
}

function keyed(named: string): { readonly providerId: string; readonly label: string } {
  const provider = providerNamed(named.toLowerCase());
  if (!provider) throw wrongUsage('keys: the provider is anthropic, openai or openrouter');
  if (provider === 'local-runner')
    throw wrongUsage('keys: Ollama needs no key; OLLAMA_HOST says where it runs');
  return { providerId: `provider-${provider}`, label: providerLabels[provider] };
}

/** Never an argument, which every user of the machine could read. */
async function keyFor(label: string, file: string | undefined): Promise<string> {
  if (file !== undefined)
    return readFile(file, 'utf8').catch(() => {
      throw new CliFailure(`${file} cannot be read`);
    });
  if (!process.stdin.isTTY) return allOf(process.stdin);
  return ask(`Key of ${label} (it is not shown): `, { isSecret: true });
}
