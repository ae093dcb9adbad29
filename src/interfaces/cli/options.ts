import { type Command, Option } from 'commander';
import { z } from 'zod';
import { secretIn } from '../../config.ts';
import { wrongUsage } from './failure.ts';
import { ownService } from './ownService.ts';
import { keepSecret } from './secrets.ts';
import '../../validationWords.ts';

/** Of every command. A key travels in a header, so it may hold only what a header may. */
const globalSchema = z.object({
  url: z
    .url({ protocol: /^https?$/, error: 'must be http://… or https://…' })
    .refine(hasNoCredentials, { error: 'must not contain a user or password' })
    .optional(),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')
    .optional(),
  apiKeyFile: z.string().optional(),
  json: z.boolean().default(false),
});

export const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number);

export interface GlobalOptions {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly json: boolean;
}

export function addGlobalOptions(program: Command): void {
  program
    .addOption(
      new Option(
        '--url <url>',
        'address of the service (default: http://127.0.0.1:4102, or as the environment has it)',
      ).env('HARK_URL'),
    )
    .addOption(new Option('--api-key <key>', 'key of the service').env('HARK_API_KEY'))
    .addOption(new Option('--api-key-file <file>', 'file that holds that key').env('HARK_API_KEY_FILE'))
    .option('--json', 'one JSON document, or one JSON line each for lists and tails');
}

/** Without an address, the service that the environment describes, whose key is for nobody else. */
export function globalOptions(command: Command): GlobalOptions {
  const { url, apiKey, apiKeyFile, json } = readOptions(command, globalSchema);
  if (apiKey !== undefined && apiKeyFile !== undefined)
    throw wrongUsage('--api-key-file: the key is given too; give one of them');
  const own = url === undefined ? ownService() : undefined;
  const key = (apiKeyFile === undefined ? apiKey : keyIn(apiKeyFile)) ?? own?.apiKey;
  return { url: url ?? own?.url ?? '', json, ...(key === undefined ? {} : { apiKey: key }) };
}

function keyIn(file: string): string | undefined {
  const { value = '', problem } = secretIn(file);
  if (problem !== undefined) throw wrongUsage(`--api-key-file: ${problem}`);
  keepSecret(value);
  const { data: key, error } = globalSchema.shape.apiKey.safeParse(value);
  if (error) throw wrongUsage(`--api-key-file: the key ${error.issues[0]?.message}`);
  return key;
}

/**
 * The options of a command as its schema has them. What is wrong is named, and its value kept back. An empty
 * variable of the environment counts as not set.
 */
export function readOptions<Schema extends z.ZodObject>(command: Command, schema: Schema): z.output<Schema> {
  const given = Object.entries(command.optsWithGlobals()).filter(
    ([name, value]) => value !== '' || command.getOptionValueSourceWithGlobals(name) !== 'env',
  );
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const flag = String(issue?.path[0] ?? '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw wrongUsage(`--${flag}: ${issue?.message ?? 'is wrong'}`);
}

/** `hark replay --url …` would show something else than what was asked for. */
export function refuseUrl(command: Command): void {
  if (command.getOptionValueSourceWithGlobals('url') === 'cli')
    throw wrongUsage(
      `${command.name()} opens the log itself, not a service: use --data-dir or --kvstore-url, not --url`,
    );
}

function hasNoCredentials(url: string): boolean {
  const parsed = URL.parse(url);
  // What is no URL at all is told of as such.
  return parsed === null || (parsed.username === '' && parsed.password === '');
}
