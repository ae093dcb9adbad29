import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** `script` of util-linux runs a program on a terminal of its own. */
export const terminalIsMissing: string | false =
  spawnSync('script', ['--version'], { stdio: 'ignore' }).error === undefined ? false : 'script (util-linux)';

/** A program on a terminal: what it shows, and what is typed. */
export class Terminal {
  readonly child: ChildProcess;
  shown = '';
  readonly #closed: Promise<unknown>;

  constructor(command: readonly string[], environment: Readonly<Record<string, string>>, cwd?: string) {
    const words = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
    // In the place of the shell, whose exit code would else count.
    const line = `exec ${words.join(' ')}`;
    this.child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
      env: { TERM: 'dumb', ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(cwd === undefined ? {} : { cwd }),
    });
    this.#closed = once(this.child, 'close');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.shown += text;
    });
  }

  /** Resolves with what was found once it is shown after what was found before. */
  async sees(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.shown.slice(this.#read));
      if (found) {
        this.#read += found.index + found[0].length;
        return found;
      }
      const news = this.child.stdout && once(this.child.stdout, 'data');
      const isOver = await Promise.race([news?.then(() => false), this.#closed.then(() => true)]);
      if (isOver && !pattern.test(this.shown.slice(this.#read)))
        throw new Error(`${pattern} was not shown after: ${this.shown}`);
    }
  }
  #read = 0;

  /** Types a line. */
  types(text = ''): void {
    this.child.stdin?.write(`${text}\r`);
  }

  /** Resolves with the exit code of the program. */
  async ends(): Promise<number | null> {
    await this.#closed;
    return this.child.exitCode;
  }
}
