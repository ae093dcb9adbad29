import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/** Puts a command on one core, where there is more than one: then the load does not take from what it measures. */
export function onCore(core: number, command: readonly string[]): readonly string[] {
  return availableParallelism() > 1 && process.platform === 'linux'
    ? ['taskset', '-c', String(core), ...command]
    : command;
}

export interface Load {
  readonly perSecond: number;
  readonly p99: number;
}

const MILLISECONDS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000 };

/** Asks one address over 64 connections for some seconds. An answer that is no 2xx makes the figures worthless. */
export async function loadWithWrk(
  url: string,
  seconds: number,
  headers: readonly string[] = [],
): Promise<Load> {
  const given = headers.flatMap((header) => ['-H', header]);
  const wrk = ['wrk', '-t1', '-c64', `-d${seconds}s`, '--latency', ...given, url];
  const [command = 'wrk', ...args] = onCore(1, wrk);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  if (/Non-2xx/.test(output)) throw new Error(`wrk was refused: ${output}`);
  const [, figure, unit = ''] = /^\s+99%\s+([\d.]+)(us|ms|s)/m.exec(output) ?? [];
  const [, perSecond] = /Requests\/sec:\s+([\d.]+)/.exec(output) ?? [];
  return { perSecond: Number(perSecond), p99: Number(figure) * (MILLISECONDS[unit] ?? Number.NaN) };
}
