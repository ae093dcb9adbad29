import { HarkError } from '../../errors.ts';
import { findCommand, type ProgramOutcome, runCommand } from './commands.ts';

const runtimes = ['docker', 'podman'] as const;
type Runtime = (typeof runtimes)[number];

/** What these programs read of the environment. */
const PASSES =
  /^(PATH|HOME|USER|TMPDIR|LANG|XDG_\w+|DOCKER_\w+|CONTAINERS?_\w+|PODMAN_\w+|HTTPS?_PROXY|NO_PROXY)$/i;
/** Of a list that somebody waits for. Whoever installs waits as long as for a start: a runtime may have to wake first. */
const LOOK_WITHIN_MS = 2_000;
const START_WITHIN_MS = 30_000;
/** An image of some ten megabytes over a slow line. */
const INSTALL_WITHIN_MS = 300_000;
const LONGEST_MESSAGE = 500;

const NAME = 'service-redis';
const PORT = 6379;
/** This machine alone may ask: a Redis that asks for no password is open to whoever reaches it. */
const INSTALL = [
  ...['run', '--detach', '--name', NAME, '--restart', 'unless-stopped'],
  ...['--publish', `127.0.0.1:${PORT}:6379`, '--volume', `${NAME}:/data`],
  ...['docker.io/library/redis:8', 'redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'],
] as const;

export type RuntimeState =
  | { readonly is: 'running'; readonly runtime: Runtime; readonly version: string }
  | { readonly is: 'stopped'; readonly runtime: Runtime; readonly why: string }
  | { readonly is: 'missing' };

export interface Installed {
  readonly status: 'installed' | 'started' | 'already_running';
  readonly runtime: Runtime;
  /** As somebody would type it. */
  readonly command: string;
}

/** The containers of this machine, by the command line of Docker or Podman. */
export class Containers {
  readonly #lookWithinMs: number;
  #installing: Promise<Installed> | undefined;

  constructor({ lookWithinMs = LOOK_WITHIN_MS }: { readonly lookWithinMs?: number } = {}) {
    this.#lookWithinMs = lookWithinMs;
  }

  /** The first that runs; else the first that is there. */
  async state(): Promise<RuntimeState> {
    const states = await statesWithin(this.#lookWithinMs);
    const stopped = states.find(({ is }) => is === 'stopped');
    return states.find(({ is }) => is === 'running') ?? stopped ?? { is: 'missing' };
  }

  /** Sees to it that Redis runs as a container. Once at a time: whoever asks meanwhile is told of the same. */
  installRedis(): Promise<Installed> {
    this.#installing ??= install().finally(() => {
      this.#installing = undefined;
    });
    return this.#installing;
  }
}

function statesWithin(timeoutMs: number): Promise<readonly RuntimeState[]> {
  return Promise.all(runtimes.map((runtime) => stateOf(runtime, timeoutMs)));
}

async function stateOf(runtime: Runtime, timeoutMs: number): Promise<RuntimeState> {
  const file = findCommand(runtime);
  if (file === undefined) return { is: 'missing' };
  // Of Docker's client the server may be away; Podman has none, and says its own.
  const format = runtime === 'docker' ? '{{.Server.Version}}' : '{{.Client.Version}}';
  const { ok, stdout, stderr } = await runCommand(file, ['version', '--format', format], {
    timeoutMs,
    passes: PASSES,
  });
  return ok ? { is: 'running', runtime, version: stdout } : { is: 'stopped', runtime, why: oneLine(stderr) };
}

async function install(): Promise<Installed> {
  const states = await statesWithin(START_WITHIN_MS);
  const running = states.find((state) => state.is === 'running');
  if (!running) throw new HarkError('CONTAINERS_NOT_RUNNING', { message: hintFor(states) });
  const { runtime } = running;
  const run = (args: readonly string[], timeoutMs: number) =>
    runCommand(findCommand(runtime) ?? runtime, args, { timeoutMs, passes: PASSES });
  const look = ['container', 'inspect', '--format', '{{.State.Status}}', NAME];
  const found = await run(look, START_WITHIN_MS);
  const told = (status: Installed['status'], args: readonly string[]): Installed => ({
    status,
    runtime,
    command: spelled(runtime, args),
  });
  if (found.ok && found.stdout === 'running') return told('already_running', look);
  if (found.ok) {
    // One that is paused is not started but let go on.
    const args = [found.stdout === 'paused' ? 'unpause' : 'start', NAME];
    const started = await run(args, START_WITHIN_MS);
    if (!started.ok) throw failure(runtime, args, started);
    return told('started', args);
  }
  const installed = await run(INSTALL, INSTALL_WITHIN_MS);
  if (installed.ok) return told('installed', INSTALL);
  // What could not be started is left behind, and would be in the way of the next attempt. The volume stays.
  await run(['rm', '--force', NAME], START_WITHIN_MS);
  throw failure(runtime, INSTALL, installed);
}

function hintFor(states: readonly RuntimeState[]): string {
  const stopped = states.find((state) => state.is === 'stopped');
  if (!stopped) return 'Install Docker (https://docs.docker.com/get-docker) or Podman, and start it';
  return `${stopped.runtime} is installed and does not answer: start it. It says: ${stopped.why}`;
}

function failure(runtime: Runtime, args: readonly string[], { stderr }: ProgramOutcome): HarkError {
  return new HarkError('INSTALLATION_FAILED', {
    message: messageFor(stderr),
    body: { command: spelled(runtime, args) },
  });
}

function messageFor(said: string): string {
  if (/port is already allocated|address already in use|ports are not available|bind.*failed/i.test(said))
    return `Port ${PORT} is taken on this machine. If a Redis has it already, set SERVICE_KVSTORE_URL=${REDIS_URL}`;
  return oneLine(said) || 'The container runtime did not say why';
}

/** Where what was installed is found. */
export const REDIS_URL = `redis://127.0.0.1:${PORT}`;

function spelled(runtime: Runtime, args: readonly string[]): string {
  return [runtime, ...args.map((one) => (/[{}\s]/.test(one) ? `'${one}'` : one))].join(' ');
}

/** For a person; control characters and the many lines of a usage say nothing. */
function oneLine(said: string): string {
  const text = said.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}
