import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Ollama lies when it is installed. */
export function findOllama(path = process.env.PATH ?? ''): string | undefined {
  const name = process.platform === 'win32' ? 'ollama.exe' : 'ollama';
  return path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

/**
 * Starts Ollama as a process that outlives this one: other programs may use it too. Of this process's
 * environment it gets only what Ollama itself reads, so that no key of ours is in its.
 */
export function serveOllama(binary: string, host: string): ChildProcess {
  const passed = Object.entries(process.env).filter(([name]) =>
    /^(PATH|HOME|USER|TMPDIR|OLLAMA_\w+)$/.test(name),
  );
  const env = { ...Object.fromEntries(passed), OLLAMA_HOST: host };
  const child = spawn(binary, ['serve'], { env, detached: true, stdio: 'ignore' });
  child.unref();
  return child;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
