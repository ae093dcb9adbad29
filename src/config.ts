import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { delimiter, resolve } from 'node:path';
import { z } from 'zod';
import { faultOfExpression } from './recurrence.ts';
import './validationWords.ts';
import { isToolServerSetting } from './toolServerSpec.ts';
import { isLocale, isZone } from './zonedTime.ts';

/*
 * Every environment variable, in one table. A variable with `setting` can also be changed while the service
 * runs, under that key; `restart` says that the change is only felt after a restart of what uses it.
 */

/**
 * A number written with digits only: what JavaScript reads as a number besides (`0x10`, `1e3`) is more likely a
 * slip. Settings are changed with numbers of JSON, which go through as they are.
 */
function written(digits: RegExp) {
  return (value: unknown) =>
    typeof value === 'string' ? (digits.test(value) ? Number(value) : Number.NaN) : value;
}

function whole(least: number, most = Number.MAX_SAFE_INTEGER) {
  const error = `must be a whole number from ${least} to ${most}`;
  return z.preprocess(
    written(/^\d+$/),
    z.number({ error }).int({ error }).min(least, { error }).max(most, { error }),
  );
}

function between(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`;
  const digits = /^(\d+(\.\d*)?|\.\d+)$/;
  return z.preprocess(written(digits), z.number({ error }).min(least, { error }).max(most, { error }));
}

const port = whole(0, 65_535);
const count = whole(1);
const share = between(0, 1);
const flag = z.union([z.boolean(), z.stringbool()], { error: 'must be true or false' });
const text = z.string().min(1);
/** Of a model or a voice. */
const engineId = z.string().regex(/^[\w][\w./:-]{0,127}$/, 'must be auto, or the id of a model or a voice');
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const kvstoreError = 'must be embedded, memory, none, redis://… or rediss://…';
/** What a header can carry: with anything else in it, no request could ever show the key. */
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]{8,512}$/, 'must be 8 to 512 printable ASCII characters without spaces');
/** Line ends and spaces at the ends come from files and copying; inside, no key has any. */
const providerKey = z
  .string()
  .trim()
  .min(1)
  .max(256)
  .regex(/^[\x21-\x7e]+$/, 'must be a key without spaces, line ends, control characters or accents');
/** Addresses, as in `10.1.2.3` or `10.0.0.0/8`. */
export interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

const networks = z.string().transform((list, { addIssue }): readonly Network[] => {
  const given = list.split(',').map((one) => one.trim());
  const found = given.filter((one) => one !== '').map(networkOf);
  if (found.includes(undefined))
    addIssue('must be a comma-separated list of IP addresses and networks (10.0.0.0/8)');
  return found.filter((one) => one !== undefined);
});

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
  AUDIO_PORT: port.default(3000).register(facts, { about: 'Port of the WebSockets of voice' }),
  WYOMING_PORT: port.optional().register(facts, {
    about: 'Port for Home Assistant (Wyoming protocol); it knows no key, so it listens on loopback alone',
  }),
  SERVICE_HOST: text
    .refine(isHost, 'must be an IP address or a host name')
    .default('127.0.0.1')
    .register(facts, { about: 'Address of all listeners' }),
  SERVICE_API_KEY: apiKey
    .optional()
    .register(facts, { secret: true, about: 'Key that every request must send' }),
  SERVICE_ALLOW_OPEN: flag
    .default(false)
    .register(facts, { about: 'Allows a non-loopback address without an API key' }),
  SERVICE_DATA_DIR: text
    .transform((path) => resolve(path))
    .default(resolve('data'))
    .register(facts, { about: 'Folder of everything persistent' }),
  SERVICE_KVSTORE_URL: z
    .union([z.enum(['embedded', 'memory', 'none']), z.url({ protocol: /^rediss?$/, error: kvstoreError })], {
      error: kvstoreError,
    })
    .default('embedded')
    .register(facts, { secret: true, about: 'Where the log is kept' }),
  SERVICE_USER_ID: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, _ or -')
    .default('default')
    .register(facts, { about: 'User of requests that name none' }),
  SERVICE_TIMEZONE: text
    .refine((zone) => zone === 'system' || isZone(zone), 'must be an IANA time zone, or system')
    .default('system')
    .register(facts, {
      setting: 'timezone',
      about: 'Time zone of users who chose none; `system` is that of the machine',
    }),
  SERVICE_LOCALE: text
    .refine(isLocale, 'must be a locale, such as en-GB')
    .default('en')
    .register(facts, { setting: 'locale', about: 'Locale of users who chose none' }),
  CORS_ORIGIN: text
    .refine(
      areOrigins,
      'must be * or a comma-separated list of origins, each scheme://host or scheme://host:port',
    )
    .default('http://localhost:5173')
    .register(facts, {
      about: 'Origins of browsers that may call; * for all (only with a key), or a comma-separated list',
    }),
  SERVICE_TRUSTED_PROXIES: networks.default([]).register(facts, {
    about: 'Proxies whose X-Forwarded-For is trusted: addresses and networks',
  }),
  API_RATE_LIMIT: count
    .default(100)
    .register(facts, { setting: 'apiRateLimit', about: 'Requests a minute and address to /api' }),
  CHAT_RATE_LIMIT: count.default(20).register(facts, {
    setting: 'chatRateLimit',
    about:
      'Requests a minute and address to chat, tasks, credentials and executions of workflows, and calls of tools over MCP',
  }),
  SERVICE_V1_RATE_LIMIT: count
    .default(120)
    .register(facts, { setting: 'v1RateLimit', about: 'Requests a minute and address to /v1' }),
  SERVICE_V1_ANY_MODEL: flag.default(false).register(facts, {
    setting: 'v1AnyModel',
    about: 'Takes any name of a model at /v1 for hark: of clients whose models cannot be named',
  }),
  SERVICE_TLS_CERT: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'PEM file with the certificate of all listeners, and its chain' }),
  SERVICE_TLS_KEY: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'PEM file with the private key of the certificate' }),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .register(facts, { about: 'Lowest level of log lines' }),
  NODE_ENV: z
    .enum(['development', 'test', 'production'])
    .default('development')
    .register(facts, { about: 'production does not generate a credential salt' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional().register(facts, {
    about:
      'Collector of OpenTelemetry that traces and metrics are sent to, over OTLP and HTTP; without it nothing is',
  }),
  OTEL_SERVICE_NAME: text
    .default('hark')
    .register(facts, { about: 'Name under which the collector knows hark' }),
  OTEL_METRIC_EXPORT_INTERVAL: whole(1_000, 2 ** 31 - 1)
    .default(60_000)
    .register(facts, { about: 'Milliseconds between metrics that are sent' }),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: flag.default(false).register(facts, {
    about: 'Sends what is said, remembered and given to tools along with traces, as far as it is not erased',
  }),
  SERVICE_MDNS_ENABLED: flag
    .default(false)
    .register(facts, { about: 'Announces the service on the local network' }),
  SERVICE_NOTICE: z
    .string()
    .regex(/^[^\p{Cc}\u2028\u2029]{1,300}$/u, 'must be one line of 1 to 300 characters')
    .optional()
    .register(facts, {
      about: 'Shown wherever the service describes itself; the demo says with it that no real model answers',
    }),
  SERVICE_TEST_NOW: whole(0)
    .optional()
    .register(facts, { about: 'With NODE_ENV=test: the clock starts here and moves on request only' }),

  ANTHROPIC_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of cloud-a' }),
  ANTHROPIC_BASE_URL: webUrl.optional().register(facts, { about: 'Base URL of cloud-a' }),
  OPENAI_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of cloud-b' }),
  OPENAI_BASE_URL: webUrl.optional().register(facts, { about: 'Base URL of cloud-b' }),
  OPENROUTER_API_KEY: providerKey.optional().register(facts, { secret: true, about: 'Key of gateway' }),
  OPENROUTER_BASE_URL: webUrl.optional().register(facts, { about: 'Base URL of gateway' }),
  OLLAMA_HOST: webUrl.default('http://127.0.0.1:11434').register(facts, { about: 'Address of local-runner' }),
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
    about: 'How long a fetched model catalog is used',
  }),
  SERVICE_PROVIDER_CATALOG_AUTO_REFRESH: flag.default(true).register(facts, {
    setting: 'providerCatalogAutoRefresh',
    restart: true,
    about: 'Fetches the model catalog again when it is too old',
  }),

  SERVICE_AGENT_MAX_STEPS: whole(1, 200)
    .default(20)
    .register(facts, { setting: 'agentMaxSteps', about: 'Reasoning steps of one turn' }),
  SERVICE_SESSION_IDLE_MINUTES: count.default(30).register(facts, {
    setting: 'sessionIdleMinutes',
    about: 'A session without a turn for this long ends',
  }),
  SERVICE_VOICE_INTERRUPTION_MS: whole(0, 5_000).default(250).register(facts, {
    setting: 'voiceInterruptionMs',
    about: 'Speech of this length ends what hark is saying; 0 ends it at once',
  }),
  SERVICE_VOICE_HALF_DUPLEX: flag.default(false).register(facts, {
    setting: 'voiceHalfDuplex',
    about:
      'Hears nothing while hark speaks: for a loudspeaker beside the microphone; nobody can interrupt then',
  }),
  SERVICE_VOICE_FILLER: flag.default(false).register(facts, {
    setting: 'voiceFiller',
    about: 'A word is said while tools work',
  }),
  SERVICE_CHAT_SUMMARY_SHARE: between(0.1, 0.9).default(0.5).register(facts, {
    setting: 'chatSummaryShare',
    about: "Share of a model's context from which on older turns are summarized",
  }),
  SERVICE_TOOL_MAX_TOOLS: whole(1, 128)
    .default(8)
    .register(facts, { setting: 'toolMaxTools', about: 'Most tools that a turn is shown' }),
  SERVICE_TOOL_TOKEN_BUDGET: whole(0, 1_000_000).default(2_000).register(facts, {
    setting: 'toolTokenBudget',
    about: 'Most tokens of own tools that a turn is shown although nothing asked for them',
  }),
  SERVICE_TOOL_SIMILARITY_THRESHOLD: share.default(0.7).register(facts, {
    setting: 'toolSimilarityThreshold',
    about: 'Least similarity of a tool to what is asked, with an embedding model',
  }),
  SERVICE_TOOL_INCLUDE_META_TOOLS: flag
    .default(true)
    .register(facts, { setting: 'toolIncludeMetaTools', about: 'Shows discover_tools in every turn' }),
  SERVICE_WEBHOOK_ALLOW_PRIVATE: flag
    .default(false)
    .register(facts, { about: 'Allows webhooks to this machine and to private networks, also without TLS' }),
  SERVICE_TOOL_SERVERS: text
    .refine(isToolServerSetting, 'must be a JSON list of tool servers, as docs/mcp.md has them')
    .default('[]')
    .register(facts, {
      setting: 'toolServers',
      about: 'Tool servers of others (MCP), as a JSON list; those with secrets or programs go into a file',
    }),
  SERVICE_MODEL_MIRROR: webUrl
    .optional()
    .register(facts, { about: 'Base URL that replaces the host of model files' }),
  SERVICE_MODELS_MANIFEST: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'File that describes models beside those that hark knows' }),

  SERVICE_VOICE_STT_MODEL: engineId.default('auto').register(facts, {
    setting: 'voiceSttModel',
    about:
      'What understands speech: auto is the best that is there; off is nothing; else cloud-b, pocketsphinx, or the id of a model',
  }),
  SERVICE_VOICE_TTS_MODEL: engineId.default('auto').register(facts, {
    setting: 'voiceTtsModel',
    about:
      'What speaks: auto is the best that is there; off is nothing; else cloud-b, flite, or the id of a model',
  }),
  SERVICE_VOICE_TTS_VOICE: engineId.default('auto').register(facts, {
    setting: 'voiceTtsVoice',
    about: 'The voice of users who chose none; auto is the own choice of what speaks',
  }),
  SERVICE_VOICE_WAKE_PHRASES: z.string().max(1_000).default('hey hark').register(facts, {
    setting: 'voiceWakePhrases',
    about: 'What a model of wake words waits for, parted by commas; nothing where it is empty',
  }),
  SERVICE_VOICE_GRAMMAR: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, {
      about: 'File of all that pocketsphinx is to understand (JSGF); without it, anything',
    }),

  SERVICE_MEMORY_RETENTION_DAYS: count.default(30).register(facts, {
    setting: 'memoryRetentionDays',
    about: 'Days that episodes, conversations without an episode, and pruned conclusions are kept',
  }),
  SERVICE_MEMORY_SEARCH_MODE: z
    .enum(['keyword', 'semantic', 'hybrid'])
    .default('hybrid')
    .register(facts, { setting: 'memorySearchMode', about: 'How memory is searched' }),
  SERVICE_MEMORY_SIMILARITY_THRESHOLD: share.default(0.3).register(facts, {
    setting: 'memorySimilarityThreshold',
    about: 'Least similarity (cosine) of what is found by meaning',
  }),
  SERVICE_MEMORY_VECTORS: z.enum(['auto', 'process']).default('auto').register(facts, {
    about: 'Where vectors are searched: auto is in Redis when the log is there, and in the process otherwise',
  }),
  SERVICE_MEMORY_QUERY_EXPANSION: flag.default(false).register(facts, {
    setting: 'memoryQueryExpansion',
    about: 'Rewrites memory queries with the local model',
  }),
  SERVICE_MEMORY_TOKEN_BUDGET: count
    .default(1_500)
    .register(facts, { setting: 'memoryTokenBudget', about: 'Tokens of assembled memory context' }),
  SERVICE_MEMORY_INGESTS_PER_SESSION: whole(0).default(5).register(facts, {
    setting: 'memoryIngestsPerSession',
    about: 'Most answers of one session that are kept as episodes of their own',
  }),
  SERVICE_IMPORT_ROOTS: text
    .transform((list) =>
      list
        .split(delimiter)
        .filter((path) => path !== '')
        .map((path) => resolve(path)),
    )
    .default([])
    .register(facts, { about: 'Projects, or folders of projects, whose memories can be imported' }),
  SERVICE_MEMORY_STALE_DAYS: count.default(90).register(facts, {
    setting: 'staleThresholdDays',
    about: 'Days after which a conclusion counts as stale',
  }),
  SERVICE_MEMORY_DECAY_FACTOR: share.default(0.9).register(facts, {
    setting: 'decayFactor',
    about: 'What the confidence of a stale conclusion is multiplied by in each sweep',
  }),
  SERVICE_MEMORY_REDUNDANCY_SIMILARITY: between(0.5, 1).default(0.85).register(facts, {
    setting: 'redundancySimilarity',
    about: 'Least similarity (Jaccard) of two conclusions that are merged',
  }),
  SERVICE_MEMORY_ORPHAN_IMPORTANCE: between(0, 10).default(3).register(facts, {
    setting: 'orphanImportanceThreshold',
    about: 'An episode that nothing is concluded from is flagged below this importance, of 10',
  }),
  SERVICE_MEMORY_PRUNE_CONFIDENCE: share.default(0.3).register(facts, {
    setting: 'pruneConfidenceThreshold',
    about: 'A conclusion is pruned below this confidence',
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
  SERVICE_MAINTENANCE_CRON: text
    .refine((expression) => faultOfExpression(expression) === undefined, 'must be a cron expression')
    .default('0 3 * * *')
    .register(facts, { about: 'When memory is swept, as a cron expression' }),
  SERVICE_MAINTENANCE_TIMEZONE: text
    .refine(isZone, 'must be an IANA time zone')
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
  SERVICE_NLI_MANIFEST: text
    .transform((path) => resolve(path))
    .optional()
    .register(facts, { about: 'File that describes another inference model than the pinned ones' }),
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

/** Each variable with what it is for, and as what a program may give it (JSON Schema). */
export function describedVariables() {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => ({
    name,
    about: facts.get(schema)?.about ?? '',
    schema: z.toJSONSchema(schema, { unrepresentable: 'any', metadata: z.registry() }),
  }));
}

/** What may also lie in a file: `SERVICE_API_KEY_FILE` names that of `SERVICE_API_KEY`. */
const secretNames: ReadonlySet<string> = new Set(
  Object.entries(environmentSchema.shape)
    .filter(([, schema]) => facts.get(schema)?.secret)
    .map(([name]) => name),
);

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

type Environment = Readonly<Record<string, string | undefined>>;

/** A name that differs from ours in more than this is somebody else's. */
const MOST_SLIPS = 4;
const LONGEST_NAME = 80;
export type Variable = keyof Values;

/** What is wrong with one variable. */
interface Problem {
  readonly variable: string;
  readonly message: string;
}

export function readConfig(environment: Environment): Config {
  const unreadable: Problem[] = [];
  const given = Object.fromEntries(
    variableNames.flatMap((name) => {
      const { value, problem } = readGiven(name, environment);
      if (problem !== undefined) unreadable.push({ variable: name, message: problem });
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = environmentSchema.safeParse(given);
  const issues = (parsed.error?.issues ?? []).map(
    ({ path, message }): Problem => ({ variable: path.join('.'), message }),
  );
  const wrong = [...unreadable, ...issues];
  // Bad variables count as not given, so that the rules on the others can still be judged.
  const bad = new Set(wrong.map(({ variable }) => variable));
  const values = parsed.data ?? environmentSchema.parse(omit(given, bad));
  const config = { ...values, fromEnvironment: new Set(Object.keys(given)) };
  const problems = [...wrong, ...contradictions(config, bad)];
  if (problems.length > 0) throw new ConfigError(complaints(problems, environment));
  return config;
}

/** Of the names that a variable has, the one whose value counts. */
function nameGiven(name: string, environment: Environment): string {
  const inFile = fileVariable(name);
  if (secretNames.has(name) && environment[inFile]) return inFile;
  const preferred = PREFERRED[name];
  return preferred && environment[preferred] ? preferred : name;
}

interface Given {
  readonly value?: string | undefined;
  readonly problem?: string;
}

function readGiven(name: string, environment: Environment): Given {
  const given = nameGiven(name, environment);
  const value = environment[given];
  if (given !== fileVariable(name) || value === undefined) return { value };
  if (environment[name]) return { problem: `${name} is set too; set one of them` };
  return secretIn(value);
}

function fileVariable(name: string): string {
  return `${name}_FILE`;
}

/** No secret is as long: what is, is another file. */
const LONGEST_SECRET = 65_536;

/** Editors and `echo` end a file with a line end, which belongs to no secret. */
export function secretIn(file: string): Given {
  try {
    const value = readFileSync(file, 'utf8').replace(/(?<![\r\n])[\r\n]+$/, '');
    if (value === '') return { problem: 'the file is empty' };
    return value.length > LONGEST_SECRET ? { problem: 'the file is too long for a secret' } : { value };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    return { problem: `the file cannot be read${code}` };
  }
}

function omit(given: Environment, names: ReadonlySet<string>): Environment {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)));
}

/** Variables that look like ours and are none: whoever set one waits in vain for what it would do. */
export function unknownVariables(environment: Environment): string[] {
  return strangers(Object.keys(environment).filter((name) => name.startsWith('SERVICE_')));
}

/** One line for each name that is no variable, with the one that was meant where that is near. */
export function strangers(names: readonly string[]): string[] {
  const files = Array.from(secretNames, fileVariable);
  const known = [...variableNames, ...Object.values(PREFERRED), ...files];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [nearest] = known
        .map((other) => ({ other, far: editDistance(name, other) }))
        .toSorted((one, other) => one.far - other.far);
      const meant = nearest && nearest.far <= MOST_SLIPS ? `; did you mean ${nearest.other}?` : '';
      return `${name.slice(0, LONGEST_NAME)} is not a variable of hark${meant}`;
    });
}

/** How many characters have to be put in, taken out or replaced. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [line, character] of Array.from(one.slice(0, LONGEST_NAME)).entries()) {
    const next = [line + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + Number(other[at - 1] !== character);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** One line a variable, the first thing that is wrong with it, under the name that whoever set it will look for. */
function complaints(problems: readonly Problem[], environment: Environment): string[] {
  const first = new Map<string, string>();
  for (const { variable, message } of problems) if (!first.has(variable)) first.set(variable, message);
  return Array.from(first, ([variable, message]) => `${nameGiven(variable, environment)}: ${message}`);
}

/** A rule on several variables together. */
interface Rule {
  /** Where one of these is bad in itself, the rule says nothing. */
  readonly on: readonly Variable[];
  broken(config: Config): Problem | undefined;
}

const rules: readonly Rule[] = [
  {
    on: ['SERVICE_HOST', 'SERVICE_API_KEY', 'SERVICE_ALLOW_OPEN'],
    broken: ({ SERVICE_HOST, SERVICE_API_KEY, SERVICE_ALLOW_OPEN }) =>
      isLoopback(SERVICE_HOST) || SERVICE_API_KEY || SERVICE_ALLOW_OPEN
        ? undefined
        : {
            variable: 'SERVICE_API_KEY',
            message: 'required when SERVICE_HOST is not a loopback address; or set SERVICE_ALLOW_OPEN=true',
          },
  },
  {
    on: ['CORS_ORIGIN', 'SERVICE_API_KEY'],
    broken: ({ CORS_ORIGIN, SERVICE_API_KEY }) =>
      CORS_ORIGIN.trim() !== '*' || SERVICE_API_KEY
        ? undefined
        : {
            variable: 'CORS_ORIGIN',
            message: '* requires SERVICE_API_KEY: without a key any web page could send any request',
          },
  },
  differentPorts('HEALTH_PORT', 'MCP_PORT'),
  differentPorts('HEALTH_PORT', 'AUDIO_PORT'),
  differentPorts('MCP_PORT', 'AUDIO_PORT'),
  {
    on: ['SERVICE_TEST_NOW', 'NODE_ENV'],
    broken: ({ SERVICE_TEST_NOW, NODE_ENV }) =>
      SERVICE_TEST_NOW === undefined || NODE_ENV === 'test'
        ? undefined
        : { variable: 'SERVICE_TEST_NOW', message: 'allowed only with NODE_ENV=test' },
  },
  {
    on: ['SERVICE_TLS_CERT', 'SERVICE_TLS_KEY'],
    broken: ({ SERVICE_TLS_CERT: cert, SERVICE_TLS_KEY: key }) => {
      if ((cert === undefined) === (key === undefined)) return undefined;
      const [variable, other] = cert
        ? ['SERVICE_TLS_KEY', 'SERVICE_TLS_CERT']
        : ['SERVICE_TLS_CERT', 'SERVICE_TLS_KEY'];
      return { variable, message: `required with ${other}` };
    },
  },
  { on: ['NODE_ENV', 'SERVICE_CREDENTIAL_SALT', 'SERVICE_CREDENTIAL_SECRET'], broken: saltProblem },
];

type PortVariable = 'HEALTH_PORT' | 'MCP_PORT' | 'AUDIO_PORT';

/** Of two equal ports the one to blame is the one that was set, and the later of two. */
function differentPorts(one: PortVariable, other: PortVariable): Rule {
  return {
    on: [one, other],
    broken(config) {
      if (config[one] === 0 || config[one] !== config[other]) return undefined;
      const [variable, taken] = config.fromEnvironment.has(other) ? [other, one] : [one, other];
      return { variable, message: `must differ from ${taken}, which is ${config[taken]} too; or be 0` };
    },
  };
}

function contradictions(config: Config, bad: ReadonlySet<string>): Problem[] {
  return rules
    .filter(({ on }) => !on.some((variable) => bad.has(variable)))
    .flatMap((rule) => rule.broken(config) ?? []);
}

/**
 * In production no salt is made up: without one here, and without one that lies in the data directory already, no
 * provider key can be stored. That alone ends no start, since keys may come from the environment.
 */
function saltProblem({
  NODE_ENV,
  SERVICE_CREDENTIAL_SALT: salt,
  SERVICE_CREDENTIAL_SECRET: secret,
}: Config): Problem | undefined {
  if (NODE_ENV !== 'production') return undefined;
  const variable = 'SERVICE_CREDENTIAL_SALT';
  if (salt === undefined)
    return secret === undefined
      ? undefined
      : { variable, message: 'required with SERVICE_CREDENTIAL_SECRET in production' };
  const message = 'must be 32 bytes in production, in hexadecimal digits (openssl rand -hex 32) or base64';
  return isOf32Bytes(salt) ? undefined : { variable, message };
}

function isOf32Bytes(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text) || /^[A-Za-z0-9+/]{43}=?$/.test(text);
}

/** Where the Wyoming protocol listens: it knows no key, so on loopback, unless everybody may ask. */
export function wyomingHost({ SERVICE_HOST, SERVICE_ALLOW_OPEN }: Config): string {
  return SERVICE_ALLOW_OPEN || isLoopback(SERVICE_HOST) ? SERVICE_HOST : '127.0.0.1';
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Where a program on this machine finds what listens there. */
export function ownUrl({ SERVICE_HOST, SERVICE_TLS_CERT }: Config, port: number): string {
  const host = SERVICE_HOST === '0.0.0.0' || SERVICE_HOST === '::' ? '127.0.0.1' : SERVICE_HOST;
  const scheme = SERVICE_TLS_CERT === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function networkOf(text: string): Network | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const kind = isIP(address);
  const most = kind === 4 ? 32 : 128;
  const length = bits === undefined ? most : Number(/^\d{1,3}$/.exec(bits)?.[0]);
  if (kind === 0 || more.length > 0 || !(length <= most)) return undefined;
  return { address, bits: length, family: kind === 4 ? 'ipv4' : 'ipv6' };
}

/** Digits in the last label would be an address, and that one is wrong. */
function isHost(host: string): boolean {
  const isName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.?$/i;
  return isIP(host) !== 0 || (isName.test(host) && !/(^|\.)\d+\.?$/.test(host));
}

/** As browsers send them, which is without a path: any other would match no request. */
function areOrigins(list: string): boolean {
  const isOrigin = (origin: string) =>
    /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\*]+$/i.test(origin) && URL.canParse(origin);
  return list.trim() === '*' || list.split(',').every((origin) => isOrigin(origin.trim()));
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

/** Further keys of settings, with the one that each stands for: what changes the one changes the other. */
export const settingAliases: ReadonlyMap<string, string> = new Map(
  Array.from(settings.values(), ({ key, variable }) => [PREFERRED[variable] ?? '', key] as const).filter(
    ([alias]) => alias !== '',
  ),
);
