import { existsSync } from 'node:fs';
import type { RequestOptions } from 'node:http';
import { availableParallelism, cpus, freemem, totalmem } from 'node:os';
import { get } from '../../http.ts';

const LONGEST_PROBE_MS = 500;
const MEGABYTE = 1_048_576;

export interface MachineCapabilities {
  readonly cpu: { readonly cores: number; readonly model: string };
  readonly memory: { readonly totalMb: number; readonly availableMb: number };
  readonly gpu: { readonly available: boolean; readonly type: string | null };
  readonly 'local-runner': { readonly available: boolean };
  readonly 'container-runtime': { readonly available: boolean };
}

/** The hardware and system of this machine, found out anew each time, with little patience for what does not answer. */
export async function probeMachine(localRunnerUrl: string): Promise<MachineCapabilities> {
  const [localRunner, containerRuntime] = await Promise.all([
    localRunnerAnswers(localRunnerUrl),
    containerSocketAnswers(),
  ]);
  const type = gpuType();
  return {
    cpu: { cores: availableParallelism(), model: cpus()[0]?.model ?? 'unknown' },
    memory: {
      totalMb: Math.round(totalmem() / MEGABYTE),
      availableMb: Math.round((process.availableMemory?.() ?? freemem()) / MEGABYTE),
    },
    gpu: { available: type !== null, type },
    'local-runner': { available: localRunner },
    'container-runtime': { available: containerRuntime },
  };
}

/** By what the driver leaves behind: asking the driver's tools would take longer than the answer is worth. */
function gpuType(): string | null {
  if (process.platform === 'darwin') return process.arch === 'arm64' ? 'apple' : null;
  if (existsSync('/proc/driver/nvidia/version') || existsSync('/dev/nvidia0')) return 'nvidia';
  if (existsSync('/dev/kfd')) return 'amd';
  return existsSync('/dev/dxg') ? 'wsl' : null;
}

const SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];

/** Whatever is in the PATH. */
export async function containerSocketAnswers(): Promise<boolean> {
  const asked = SOCKETS.filter(existsSync).map((socketPath) => answers({ socketPath, path: '/_ping' }));
  return (await Promise.all(asked)).includes(true);
}

async function localRunnerAnswers(url: string): Promise<boolean> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const path = `${pathname.replace(/\/$/, '')}/api/version`;
  const options = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path };
  return answers(options, protocol === 'https:' ? (await import('node:https')).get : get);
}

function answers(options: RequestOptions, ask: typeof get = get): Promise<boolean> {
  return new Promise((resolve) => {
    const request = ask({ ...options, signal: AbortSignal.timeout(LONGEST_PROBE_MS) }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}
