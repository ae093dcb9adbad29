import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { heldPort } from './heldPort.ts';

interface RedisOptions {
  readonly appendonly?: 'yes' | 'no';
  readonly appendfsync?: 'always' | 'everysec' | 'no';
  readonly policy?: string;
  /** As in redis.conf: `3600 1`; the default never saves. */
  readonly save?: string;
  readonly password?: string;
}

/** Says why the tests that need a Redis are left out; false where there is one. For the option `skip`. */
export const redisIsMissing: string | false =
  spawnSync('redis-server', ['--version']).status === 0
    ? false
    : 'redis-server is not installed (apt-get install redis-server)';

/** A real Redis on a port and in a folder of its own, ended by its own process id. */
export class RedisServer {
  readonly port: number;
  readonly directory = mkdtempSync(join(tmpdir(), 'hark-redis-'));
  readonly #options: RedisOptions;
  #process: ChildProcess;

  private constructor(port: number, options: RedisOptions) {
    this.port = port;
    this.#options = options;
    this.#process = this.#spawn();
  }

  static async start(options: RedisOptions = {}): Promise<RedisServer> {
    const server = new RedisServer(await heldPort(), options);
    await server.#answers();
    return server;
  }

  get url(): string {
    const user = this.#options.password ? `:${this.#options.password}@` : '';
    return `redis://${user}127.0.0.1:${this.port}`;
  }

  /** That it goes away is what tests are about: a client of theirs does not complain of it. */
  client(): Redis {
    const client = new Redis(this.url);
    client.on('error', () => undefined);
    return client;
  }

  /** Ends it as a power cut would: it writes nothing any more. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async start(): Promise<void> {
    this.#process = this.#spawn();
    await this.#answers();
  }

  async restart(): Promise<void> {
    await this.#end('SIGTERM');
    await this.start();
  }

  async restartEmpty(): Promise<void> {
    await this.#end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
    await this.start();
  }

  pause(): void {
    this.#process.kill('SIGSTOP');
  }
  resume(): void {
    this.#process.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const { appendonly = 'no', appendfsync = 'everysec', policy = 'noeviction', save = '' } = this.#options;
    const { password } = this.#options;
    const settings = {
      port: String(this.port),
      bind: '127.0.0.1',
      appendonly,
      appendfsync,
      save,
      'maxmemory-policy': policy,
      'enable-debug-command': 'yes',
      ...(password ? { requirepass: password } : {}),
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    // The folder may have been removed by a restart without data.
    const script = 'mkdir -p "$0" && cd "$0" && exec redis-server "$@"';
    return spawn('sh', ['-c', script, this.directory, ...args], { stdio: 'ignore' });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGCONT');
    this.#process.kill(signal);
    await ended;
  }

  async #answers(): Promise<void> {
    const login = this.#options.password ? `AUTH ${this.#options.password}\r\n` : '';
    for (;;) {
      if (this.#process.exitCode !== null) throw new Error('redis-server did not start');
      if (await answersTo(this.port, `${login}PING\r\n`)) return;
    }
  }
}

/** Whether a Redis that has its data in memory says PONG on this port. */
function answersTo(port: number, request: string): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (bytes) => {
      answer += bytes;
      if (/PONG|LOADING/.test(answer)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer.includes('PONG')));
  });
}
