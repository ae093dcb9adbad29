import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program lies that the command line would find. */
export function findCommand(name: string, path = process.env.PATH ?? ''): string | undefined {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, file))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface ProgramOutcome {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const MOST_OUTPUT_BYTES = 1_048_576;

/**
 * Runs a program to its end, which comes in time. Of this process's environment it gets only what matches, so that no
 * key of ours is in its.
 */
export function runCommand(
  file: string,
  args: readonly string[],
  { timeoutMs, passes }: { readonly timeoutMs: number; readonly passes: RegExp },
): Promise<ProgramOutcome> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => passes.test(name)));
  const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT_BYTES } as const;
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const why = error?.killed ? 'It did not end in time' : '';
      resolve({ ok: error === null, stdout: stdout.trim(), stderr: stderr.trim() || why });
    });
  });
}
