import { z } from 'zod';
import './validationWords.ts';

/*
 * How a tool server of somebody else is described, in the file and over settings. What settings say is shown to
 * whoever may read them, and may come from a request: they take no secrets and start no programs.
 */

const PREFIX = /^[a-zA-Z0-9_-]{1,32}$/;

const common = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'),
  prefix: z.string().regex(PREFIX, 'must be 1 to 32 letters, digits, _ or -'),
  autoReconnect: z.boolean().default(true),
  reconnectInterval: z.int().min(100).max(86_400_000).default(5_000),
  timeoutMs: z.int().min(100).max(600_000).default(30_000),
  maxTools: z.int().min(1).max(1_000).default(128),
  maxCalls: z.int().min(1).max(256).default(8),
  /** Turns and calls of devices may use its tools too. */
  devices: z.boolean().default(false),
  maxResponseBytes: z.int().min(1_024).max(67_108_864).default(1_048_576),
});

const remote = common.extend({ url: z.url({ protocol: /^https?$/ }) });

const remoteWithHeaders = remote.extend({ headers: z.record(z.string(), z.string()).default({}) });
const program = common.extend({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
});

export type ToolServerSpec =
  | z.output<typeof remoteWithHeaders>
  | z.output<typeof program>
  | z.output<typeof remote>;

const file = z.strictObject({ servers: z.array(z.record(z.string(), z.unknown())).max(64) });
const SAME = 'two servers have the same name or prefix';
const setting = z.array(remote).max(64).refine(areApart, SAME);

/** Says where and why, and nothing of what stands there: that may be a secret. */
export class BadToolServerFile extends Error {
  override readonly name = 'BadToolServerFile';
}

export function readToolServerFile(text: string): readonly ToolServerSpec[] {
  const { servers } = orBad(file, jsonIn(text));
  const specs = servers.map((one, index) => {
    const before = ['servers', index];
    return 'command' in one ? orBad(program, one, before) : orBad(remoteWithHeaders, one, before);
  });
  if (!areApart(specs)) throw new BadToolServerFile(SAME);
  return specs;
}

function orBad<Output>(
  schema: z.ZodType<Output>,
  given: unknown,
  before: readonly PropertyKey[] = [],
): Output {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const told = parsed.error.issues.map(({ path, message }) => {
    const where = z.core.toDotPath([...before, ...path]);
    return where === '' ? message : `${where}: ${message}`;
  });
  throw new BadToolServerFile(told.slice(0, 5).join('; '));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [place = ''] = / \(line \d+ column \d+\)/.exec(String(error)) ?? [];
    throw new BadToolServerFile(`is not valid JSON${place}`);
  }
}

export function readToolServerSetting(text: string): readonly ToolServerSpec[] {
  return setting.parse(JSON.parse(text));
}

export function isToolServerSetting(text: string): boolean {
  try {
    return setting.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

function areApart(servers: readonly { readonly name: string; readonly prefix: string }[]): boolean {
  const different = (of: readonly string[]) => new Set(of).size === of.length;
  return different(servers.map(({ name }) => name)) && different(servers.map(({ prefix }) => prefix));
}
