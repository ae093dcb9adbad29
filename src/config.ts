import { resolve } from 'node:path';
import { z } from 'zod';

/*
 * Every environment variable, in one table. A variable with `setting` can also be changed while the service
 * runs, under that key; `restart` says that the change is only felt after a restart of what uses it.
 */

const port = z.coerce.number().int().min(0).max(65_535);
const count = z.coerce.number().int().positive();
const share = z.coerce.number().min(0).max(1);
const flag = z.union([z.boolean(), z.stringbool()]);
const text = z.string().min(1);
/** Line ends and spaces at the ends come from files and copying; inside, no key has any. */
const providerKey = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .regex(/^[\x21-\x7e]+$/, 'must be a key without spaces, line ends or other characters that no key has');
const settingValue = z.union([z.string(), z.number(), z.boolean()]);

interface Facts {
  readonly about: string;
  readonly secret?: true;
  /** The key under which the variable can be changed at run time. */
  readonly setting?: string;
  readonly restart?: true;
}

const facts = z.registry<Facts>();

const environmentSchema = z.object({
  HEALTH_PORT: port.default(4102).register(facts, { about: 'Port of the REST API; 0 means any free one' }),
  MCP_PORT: port.default(4100).register(facts, { about: 'Port of the tool server' }),
  AUDIO_PORT: port.default(3000).register(facts, { about: 'Port of the audio WebSocket' }),
  SERVICE_HOST: text.default('127.0.0.1').register(facts, { about: 'Address of all listeners' }),
  SERVICE_API_KEY: text
    .max(512)
    .optional()
    .register(facts, { secret: true, about: 'Key that every request must show' }),
  SERVICE_ALLOW_OPEN: flag
    .default(false)
    .register(facts, { about: 'Allows a non-loopback address without an API key' }),
  SERVICE_DATA_DIR: text
    .transform((path) => resolve(path))
    .default(resolve('data'))
    .register(facts, { about: 'Folder of everything persistent' }),
  SERVICE_KVSTORE_URL: z
    .union([
      z.enum(['embedded', 'memory', 'none']),
      z.url({ protocol: /^rediss?$/, error: 'must be embedded, memory, none, redis://… or rediss://…' }),
    ])
    .default('embedded')
    .register(facts, { secret: true, about: 'Where the log is kept' }),
  SERVICE_USER_ID: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,128}$/)
    .default('default')
    .register(facts, { about: 'User of requests that name none' }),
  CORS_ORIGIN: text
    .default('http://localhost:5173')
    .register(facts, { about: 'Origins of browsers that may call; * for all, or a comma-separated list' }),
  API_RATE_LIMIT: count
    .default(100)
    .register(facts, { setting: 'apiRateLimit', about: 'Requests a minute and address to /api' }),
  CHAT_RATE_LIMIT: count.default(20).register(facts, {
    setting: 'chatRateLimit',
    about: 'Requests a minute and address to chat, tasks and credentials',
  }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(facts, { about: 'Least level of log lines' }),
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .register(facts, { about: 'production makes no credential salt up' }),
  SERVICE_MDNS_ENABLED: flag
    .default(false)
    .register(facts, { about: 'Announces the service on the local network' }),
  SERVICE_TEST_NOW: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .register(facts, { about: 'With NODE_ENV=test: the clock starts here and moves on request only' }),

  ANTHROPIC_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of cloud-a' }),
  ANTHROPIC_BASE_URL: z.url().optional().register(facts, { about: 'Base URL of cloud-a' }),
  OPENAI_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of cloud-b' }),
  OPENAI_BASE_URL: z.url().optional().register(facts, { about: 'Base URL of cloud-b' }),
  OPENROUTER_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of gateway' }),
  OPENROUTER_BASE_URL: z.url().optional().register(facts, { about: 'Base URL of gateway' }),
  OLLAMA_HOST: z
    .url()
    .default('http://127.0.0.1:11434')
    .register(facts, { about: 'Address of local-runner' }),
  SERVICE_CREDENTIAL_SECRET: text.optional().register(facts, {
    secret: true,
    about: 'Machine secret of the credential file: 32 bytes in hexadecimal digits or base64',
  }),
  SERVICE_CREDENTIAL_SALT: text.optional().register(facts, {
    secret: true,
    about: 'Salt of the credential file: 32 bytes in hexadecimal digits or base64',
  }),
  SERVICE_PROVIDER_CATALOG_CACHE_TTL_SECONDS: count.default(3_600).register(facts, {
    setting: 'providerCatalogCacheTtlSeconds',
    restart: true,
    about: 'How long a fetched model catalog is used',
  }),
  SERVICE_PROVIDER_CATALOG_AUTO_REFRESH: flag.default(true).register(facts, {
    setting: 'providerCatalogAutoRefresh',
    restart: true,
    about: 'Fetches the model catalog again when it is too old',
  }),

  SERVICE_AGENT_MAX_STEPS: count
    .max(200)
    .default(20)
    .register(facts, { setting: 'agentMaxSteps', about: 'Reasoning steps of one turn' }),
  SERVICE_SESSION_IDLE_MINUTES: count.default(30).register(facts, {
    setting: 'sessionIdleMinutes',
    about: 'A text session without a turn for this long ends',
  }),
  SERVICE_MODEL_MIRROR: z
    .url()
    .optional()
    .register(facts, { about: 'Base URL that replaces the host of model files' }),

  SERVICE_MEMORY_RETENTION_DAYS: count.default(30).register(facts, {
    setting: 'memoryRetentionDays',
    about: 'Days an episode is kept and a pruned conclusion can be restored',
  }),
  SERVICE_MEMORY_SEARCH_MODE: z
    .enum(['keyword', 'semantic', 'hybrid'])
    .default('hybrid')
    .register(facts, { setting: 'memorySearchMode', about: 'How memory is searched' }),
  SERVICE_MEMORY_QUERY_EXPANSION: flag.default(false).register(facts, {
    setting: 'memoryQueryExpansion',
    about: 'Rewrites memory queries with the local model',
  }),
  SERVICE_MEMORY_TOKEN_BUDGET: count
    .default(1_500)
    .register(facts, { setting: 'memoryTokenBudget', about: 'Tokens of assembled memory context' }),
  SERVICE_MEMORY_STALE_DAYS: count.default(90).register(facts, {
    setting: 'staleThresholdDays',
    about: 'Days after which a conclusion counts as stale',
  }),
  SERVICE_CONSOLIDATION_PROVIDER: text
    .optional()
    .register(facts, { about: 'Legacy: provider of the consolidation slot' }),
  SERVICE_CONSOLIDATION_MODEL: text
    .optional()
    .register(facts, { about: 'Legacy: model of the consolidation slot' }),
  SERVICE_MAINTENANCE_ENABLED: flag
    .default(true)
    .register(facts, { about: 'false stops every maintenance sweep' }),
  SERVICE_MAINTENANCE_TIMEZONE: text
    .refine(isTimeZone, 'must be an IANA time zone')
    .default('UTC')
    .register(facts, { about: 'Time zone of the maintenance schedule' }),
  SERVICE_BACKGROUND_WORK_POLICY: z
    .enum(['auto', 'always', 'idle-only'])
    .default('auto')
    .register(facts, { setting: 'backgroundWorkPolicy', about: 'When background model calls may run' }),
  SERVICE_NLI_ENABLED: flag
    .default(true)
    .register(facts, { about: 'false skips stage 2 of the contradiction pipeline' }),
  SERVICE_NLI_MODEL_SIZE: z.enum(['small', 'base']).default('base').register(facts, {
    setting: 'nliModelSize',
    restart: true,
    about: 'Which inference model judges contradictions',
  }),
  SERVICE_NLI_CONTRADICTION_THRESHOLD: share.default(0.7).register(facts, {
    setting: 'nliContradictionThreshold',
    about: 'Least probability that counts as a contradiction',
  }),
  SERVICE_PAIR_CACHE_TTL_SECONDS: count
    .default(604_800)
    .register(facts, { setting: 'pairCacheTtlSeconds', about: 'How long a verdict on a pair is reused' }),
});

/** Every variable that is read, in the order of the table. */
export const variableNames: readonly string[] = Object.keys(environmentSchema.shape);

type Values = z.output<typeof environmentSchema>;

export type Config = Readonly<Values> & {
  /** The variables that the environment set, as opposed to their defaults. */
  readonly fromEnvironment: ReadonlySet<string>;
};

/** A start that the environment forbids: one line per bad variable, and never the value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** `SERVICE_API_RATE_LIMIT` and `SERVICE_CHAT_RATE_LIMIT` win over the older names without prefix. */
const PREFERRED: Readonly<Record<string, string>> = {
  API_RATE_LIMIT: 'SERVICE_API_RATE_LIMIT',
  CHAT_RATE_LIMIT: 'SERVICE_CHAT_RATE_LIMIT',
};

export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.keys(environmentSchema.shape).flatMap((name) => {
      const value = environment[PREFERRED[name] ?? name] || environment[name];
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success)
    throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
  const config = { ...parsed.data, fromEnvironment: new Set(Object.keys(given)) };
  const problems = contradictions(config);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if (!isLoopback(config.SERVICE_HOST) && !config.SERVICE_API_KEY && !config.SERVICE_ALLOW_OPEN)
    problems.push(
      'SERVICE_API_KEY: required when SERVICE_HOST is not a loopback address; or set SERVICE_ALLOW_OPEN=true',
    );
  if (config.SERVICE_TEST_NOW !== undefined && config.NODE_ENV !== 'test')
    problems.push('SERVICE_TEST_NOW: allowed only with NODE_ENV=test');
  return config.NODE_ENV === 'production' ? [...problems, ...saltProblems(config)] : problems;
}

/**
 * In production no salt is made up: without one here, and without one that lies in the data directory already, no
 * provider key can be stored. That alone ends no start, since keys may come from the environment.
 */
function saltProblems({
  SERVICE_CREDENTIAL_SALT: salt,
  SERVICE_CREDENTIAL_SECRET: secret,
}: Config): string[] {
  if (salt === undefined)
    return secret === undefined
      ? []
      : ['SERVICE_CREDENTIAL_SALT: required with SERVICE_CREDENTIAL_SECRET in production'];
  return isOf32Bytes(salt)
    ? []
    : [
        'SERVICE_CREDENTIAL_SALT: must be 32 bytes in production, in hexadecimal digits (openssl rand -hex 32) or base64',
      ];
}

function isOf32Bytes(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text) || /^[A-Za-z0-9+/]{43}=?$/.test(text);
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

export type SettingValue = string | number | boolean;

/** A setting: a variable that can also be changed while the service runs. */
export interface Setting {
  readonly key: string;
  readonly variable: string;
  readonly schema: z.ZodType;
  /** The JSON type of its values. */
  readonly json: z.ZodType<SettingValue>;
  readonly restart: boolean;
  readonly about: string;
  /** What it is as long as nobody changes it, from the environment or by default. */
  startValue(config: Config): SettingValue;
}

const jsonTypes: Readonly<Record<string, z.ZodType<SettingValue>>> = {
  number: z.number(),
  boolean: z.boolean(),
};

export const settings: ReadonlyMap<string, Setting> = new Map(
  Object.entries(environmentSchema.shape).flatMap(([name, schema]) => {
    const { setting: key, restart = false, about } = facts.get(schema) ?? { about: '' };
    if (!key || !(schema instanceof z.ZodDefault)) return [];
    const startValue = (config: Config) => settingValue.parse(new Map(Object.entries(config)).get(name));
    const json = jsonTypes[typeof schema.def.defaultValue] ?? z.string();
    return [[key, { key, variable: name, schema: schema.unwrap(), json, restart, about, startValue }]];
  }),
);
