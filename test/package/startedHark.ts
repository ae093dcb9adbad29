import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ServiceUnderTest } from '../support/service.ts';

export class StartedHark extends ServiceUnderTest implements AsyncDisposable {
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    super(port);
    this.#child = child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await ended(this.#child);
  }
}

export async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
  return child.exitCode;
}

/** The first line of its output that says something; the rest is read, so that nothing holds it up. */
export async function first<Said>(
  child: ChildProcess,
  saying: (line: string) => Said | undefined,
): Promise<Said> {
  if (!child.stdout || !child.stderr) throw new Error('No pipes');
  const { promise, resolve, reject } = Promise.withResolvers<Said>();
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  createInterface(child.stdout).on('line', (line) => {
    const said = saying(line);
    if (said !== undefined) resolve(said);
  });
  child.once('exit', () => reject(new Error(`It ended before it had said so: ${complaint}`)));
  return promise;
}
