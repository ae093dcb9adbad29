import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from './variables/addresses.ts';
import { type Config, environmentSchema, secretNames, variableNames } from './variables/all.ts';
import { facts } from './variables/kinds.ts';
import { type BadVariable, contradictions } from './variables/rules.ts';

export { isLoopback, type Network } from './variables/addresses.ts';
export { type Config, describedVariables, type Variable, variableNames } from './variables/all.ts';

const settingValue = z.union([z.string(), z.number(), z.boolean()]);

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

export function readConfig(environment: Environment): Config {
  const unreadable: BadVariable[] = [];
  const given = Object.fromEntries(
    variableNames.flatMap((name) => {
      const { value, problem } = readGiven(name, environment);
      if (problem !== undefined) unreadable.push({ variable: name, message: problem });
      return value ? [[name, value]] : [];
    }),
  );
  const parsed = environmentSchema.safeParse(given);
  const issues = (parsed.error?.issues ?? []).map(
    ({ path, message }): BadVariable => ({ variable: path.join('.'), message }),
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
function complaints(problems: readonly BadVariable[], environment: Environment): string[] {
  const first = new Map<string, string>();
  for (const { variable, message } of problems) if (!first.has(variable)) first.set(variable, message);
  return Array.from(first, ([variable, message]) => `${nameGiven(variable, environment)}: ${message}`);
}

/** Where the Wyoming protocol listens: it knows no key, so on loopback, unless everybody may ask. */
export function wyomingHost({ SERVICE_HOST, SERVICE_ALLOW_OPEN }: Config): string {
  return SERVICE_ALLOW_OPEN || isLoopback(SERVICE_HOST) ? SERVICE_HOST : '127.0.0.1';
}

/** Where a program on this machine finds what listens there. */
export function ownUrl({ SERVICE_HOST, SERVICE_TLS_CERT }: Config, port: number): string {
  const host = SERVICE_HOST === '0.0.0.0' || SERVICE_HOST === '::' ? '127.0.0.1' : SERVICE_HOST;
  const scheme = SERVICE_TLS_CERT === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
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
