import { type DestinationStream, type Logger, pino } from 'pino';
import { isHarkError } from './errors.ts';
import { spelledOut } from './plainText.ts';

export type { Logger };

/**
 * One JSON line an event on standard output. What is logged names things by id, code, route pattern and figure;
 * never by personal text, by a secret, or by what a request carried.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
    },
    plain(destination ?? pino.destination({ dest: 1, sync: true })),
  );
}

/** A log may be read on a terminal, and names of files and tools in it are the words of others. */
function plain(to: DestinationStream): DestinationStream {
  return { write: (line) => to.write(spelledOut(line, '\n')) };
}

/**
 * What may be said of an error. The text of a foreign error may quote its input, so of those only the kind, the
 * system's code and where in the program it arose are kept.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (isHarkError(error)) {
    const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
    return { type: error.name, code: error.code, ...cause };
  }
  if (!(error instanceof Error)) return { type: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  return { type: error.name, ...code, at: frames?.slice(0, 8).map((line) => line.trim()) };
}
