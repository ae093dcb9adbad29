import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Puts a command on one core, where there is more than one: then the load does not take from what it measures. */
export function onCore(core: number, command: readonly string[]): readonly string[] {
  return availableParallelism() > 1 && process.platform === 'linux'
    ? ['taskset', '-c', String(core), ...command]
    : command;
}

/** What `loadWithWrk` is made of. */
export const LOAD_TOOLS = [
  { command: 'wrk', debian: 'wrk' },
  { command: 'taskset', debian: 'util-linux' },
] as const;

export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const MILLISECONDS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000 };

interface Posting {
  /** Posted, instead of getting. */
  readonly body?: string;
  readonly connections?: number;
}

/** Asks one address for some seconds. An answer that is no 2xx makes the figures worthless. */
export async function loadWithWrk(
  url: string,
  seconds: number,
  headers: readonly string[] = [],
  { body, connections = 64 }: Posting = {},
): Promise<Load> {
  const given = headers.flatMap((header) => ['-H', header]);
  const wrk = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    ...given,
    ...script(body),
    url,
  ];
  const [command = 'wrk', ...args] = onCore(1, wrk);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`wrk failed with ${code}: ${output}`);
  if (/Non-2xx/.test(output)) throw new Error(`wrk was refused: ${output}`);
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  return { perSecond: Number(perSecond), p50: latencyIn(output, 50), p99: latencyIn(output, 99) };
}

function latencyIn(output: string, percent: number): number {
  const [, figure, unit = ''] = new RegExp(`^\\s+${percent}%\\s+([\\d.]+)(us|ms|s)`, 'm').exec(output) ?? [];
  return Number(figure) * (MILLISECONDS[unit] ?? Number.NaN);
}

/** wrk reads from a script how to ask otherwise than by getting. */
function script(body: string | undefined): readonly string[] {
  if (body === undefined) return [];
  const file = join(mkdtempSync(join(tmpdir(), 'hark-wrk-')), 'post.lua');
  writeFileSync(file, `wrk.method = 'POST'\nwrk.body = [==[${body}]==]\n`);
  return ['-s', file];
}
