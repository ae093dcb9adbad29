import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startHark } from './hark.ts';
import { onCore } from './wrk.ts';

/** Watches the main thread from SIGUSR2 on, and says at the end for how long it was blocked at most. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { monitorEventLoopDelay } from 'node:perf_hooks';
  const delay = monitorEventLoopDelay({ resolution: 1 });
  process.on('SIGUSR2', () => { delay.reset(); delay.enable(); });
  process.on('exit', () => console.log(JSON.stringify({ blockedMs: delay.max / 1e6 })));`)}`;

const TICKS_A_SECOND = 100;

type Environment = Readonly<Record<string, string>>;

/** What a benchmark that fails does not stop. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** A server in a process of its own, whose main thread can be watched. */
export class Watched {
  readonly port: number;
  readonly #mcpPort: number;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(
    ports: { readonly health: number; readonly mcp: number },
    child: ChildProcess,
    lines: AsyncIterator<string>,
  ) {
    this.port = ports.health;
    this.#mcpPort = ports.mcp;
    this.#child = child;
    this.#lines = lines;
  }

  static hark(environment: Environment, core?: number): Promise<Watched> {
    return Watched.start(startHark, environment, core);
  }

  /** Resolves when it has said where it listens, in the manner of hark. With a core, it has that one alone. */
  static async start(args: readonly string[], environment: Environment, core?: number): Promise<Watched> {
    const ports = { HEALTH_PORT: '0', MCP_PORT: '0', AUDIO_PORT: '0' };
    const watched = [process.execPath, '--import', WATCH, ...args];
    const [command = process.execPath, ...rest] = core === undefined ? watched : onCore(core, watched);
    const child = spawn(command, rest, {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...ports, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: join(import.meta.dirname, '../..'),
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const { value = '' } = await lines.next();
    return new Watched(JSON.parse(value).ports, child, lines);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get mcpUrl(): string {
    return `http://127.0.0.1:${this.#mcpPort}/mcp`;
  }

  /** Processor time so far, of all its threads, in seconds. */
  processorSeconds(): number {
    const fields = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  }

  /** From now on the main thread is watched: what comes before is warm-up. */
  watch(): void {
    this.#child.kill('SIGUSR2');
  }

  residentBytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
  }

  /** Ends it; says for how many milliseconds the main thread was blocked at most. */
  async stop(): Promise<number> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    let blockedMs = Number.NaN;
    for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next()) {
      blockedMs = JSON.parse(line.value).blockedMs ?? blockedMs;
    }
    await ended;
    return blockedMs;
  }
}
