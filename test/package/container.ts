import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Outcome, outcomeOf } from '../interfaces/cli/hark.ts';
import type { BuiltImage } from './image.ts';
import { first } from './startedHark.ts';

/** What an engine does before the entry point: a root that nobody can write to, a volume, a secret and a network of its own. */
const SET_UP = `set -e
files=$1; data=$2; secret=$3; shift 3
mount --bind "$files" "$files"
mount -t proc proc "$files/proc"
mount -t tmpfs -o mode=1777 tmp "$files/tmp"
mount -t tmpfs run "$files/run"
mkdir "$files/run/secrets"
printf %s "$secret" > "$files/run/secrets/hark-key"
mount --bind "$data" "$files/data"
mount -o remount,bind,ro "$files"
ip link set lo up
exec setpriv --no-new-privs chroot --userspec="$USERSPEC" "$files" "$@"`;

const KEY = '0123456789abcdef'.repeat(4);

/** The root of an image in namespaces of its own, with what `docker run --read-only --cap-drop ALL` leaves it. */
export class Container implements Disposable {
  readonly #image: BuiltImage;
  readonly #folder = mkdtempSync(join(tmpdir(), 'hark-volume-'));
  readonly #user: string;

  constructor(image: BuiltImage, user = image.config.User) {
    this.#image = image;
    // With its group, which is its own where none is named.
    this.#user = user.includes(':') ? user : `${user}:${user}`;
    const [owner = 0, group = 0] = this.#user.split(':').map(Number);
    mkdirSync(this.data);
    chownSync(this.data, owner, group);
  }

  /** Its volume. */
  get data(): string {
    return join(this.#folder, 'data');
  }

  /** Its entry point, as process 1. */
  run(args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess {
    const { config, root } = this.#image;
    const apart = ['--mount', '--pid', '--net', '--ipc', '--uts', '--propagation', 'private'];
    const program = [...config.Entrypoint, ...args];
    const setUp = ['sh', '-c', SET_UP, 'sh', root, this.data, KEY, ...program];
    return spawn('unshare', [...apart, '--fork', '--kill-child', '--', ...setUp], {
      env: { ...this.#environment(environment), USERSPEC: this.#user },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<RunningContainer> {
    const keyed = { SERVICE_API_KEY_FILE: '/run/secrets/hark-key', ...environment };
    const child = this.run(this.#image.config.Cmd, keyed);
    await first(child, (line) => (JSON.parse(line).msg === 'ready' ? true : undefined));
    const within = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'));
    return new RunningContainer(child, within, this.#user, this.#environment(keyed));
  }

  #environment(more: Readonly<Record<string, string>>): Record<string, string> {
    const own = this.#image.config.Env.map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ]);
    return { ...Object.fromEntries(own), ...more };
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export class RunningContainer implements AsyncDisposable {
  readonly #child: ChildProcess;
  /** Process 1 of it, as this machine counts. */
  readonly #process: number;
  readonly #user: string;
  readonly #environment: Record<string, string>;

  constructor(child: ChildProcess, process: number, user: string, environment: Record<string, string>) {
    this.#child = child;
    this.#process = process;
    this.#user = user;
    this.#environment = environment;
  }

  /** What the kernel says of its process 1. */
  get status(): string {
    return readFileSync(`/proc/${this.#process}/status`, 'utf8');
  }

  /** As `docker exec`: a program beside process 1, with its root, user and environment. */
  exec(...program: readonly string[]): Promise<Outcome> {
    const [user = '', group = ''] = this.#user.split(':');
    const into = ['--mount', '--pid', '--net', '--ipc', '--uts', '--root', '--wd'];
    const args = [
      '--target',
      `${this.#process}`,
      ...into,
      '--setuid',
      user,
      '--setgid',
      group,
      '--',
      ...program,
    ];
    return outcomeOf(spawn('nsenter', args, { env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** As `docker stop`. */
  async stop(): Promise<number | null> {
    if (this.#child.exitCode === null) {
      const exited = once(this.#child, 'exit');
      process.kill(this.#process, 'SIGTERM');
      await exited;
    }
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
