import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

/**
 * Starts a program. Where there are no handles or no memory for it, Node throws, or gives a child without pipes whose
 * `error` comes later and ends the service if nobody listens by then: undefined either way.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess | undefined {
  try {
    const child = spawn(program, args, options);
    child.on('error', () => undefined);
    // Its type does not know that it may be without them.
    return Array.isArray(child.stdio) ? child : undefined;
  } catch {
    return undefined;
  }
}
