import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How long a service takes to say that it is ready, and what it holds in memory then. */
export async function measureStart(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ ms: number; mib: number }> {
  const ports = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' };
  const started = performance.now();
  const child = spawn(process.execPath, [...args], {
    env: { PATH: process.env.PATH, NODE_ENV: 'development', ...ports, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Where the packages of the peers are found.
    cwd: join(import.meta.dirname, '..'),
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"ready"')) break;
  const ms = performance.now() - started;
  const mib = residentMib(child.pid);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { ms, mib };
}

function residentMib(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1_024;
}
