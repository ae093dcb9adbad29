import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The writer of writer.ts in a process of its own, and what it says is durable. */
export class WriterProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  position = 0;

  constructor(dataDirectory: string) {
    const script = fileURLToPath(new URL('./writer.ts', import.meta.url));
    this.#child = spawn(process.execPath, [script, dataDirectory], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface(this.#child.stdout).on('line', (line) => {
      this.position = Number(line);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async reach(position: number): Promise<void> {
    while (this.position < position) await once(this.#lines, 'line');
  }

  async stop(): Promise<number | null> {
    if (this.#child.exitCode !== null) return this.#child.exitCode;
    this.#child.stdin.end();
    const [code] = await once(this.#child, 'close');
    return code;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }
}
