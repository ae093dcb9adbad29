import type { CommanderError } from 'commander';
import { z } from 'zod';
import { ConfigError } from '../../config.ts';
import { isHarkError } from '../../errors.ts';
import { showTime } from './output.ts';

export const exitCodes = { done: 0, failed: 1, busy: 2, disconnected: 3, usage: 64 } as const;

/** An end that the user is told about in one line. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

export function wrongUsage(message: string): CliFailure {
  return new CliFailure(message, exitCodes.usage);
}

/** Names what the work is about in front of its failure: errors of the store leave out paths. */
export async function saying<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isHarkError(error) ? new CliFailure(`${subject}: ${error.message}`) : error;
  }
}

/** What to say on stderr, a line each, and how to exit. Never a stack. */
export function describeFailure(error: unknown): { lines: readonly string[]; exitCode: number } {
  // The parser has said its part already. Asking for help or the version is no failure.
  if (isOfParser(error))
    return { lines: [], exitCode: error.exitCode === 0 ? exitCodes.done : exitCodes.usage };
  if (error instanceof CliFailure) return { lines: [oneLine(error.message)], exitCode: error.exitCode };
  if (error instanceof ConfigError) return { lines: error.problems.map(oneLine), exitCode: exitCodes.usage };
  return {
    lines: [oneLine(error instanceof Error ? error.message : String(error))],
    exitCode: exitCodes.failed,
  };
}

/** By its code: a service that starts parses nothing, and need not load the parser. */
function isOfParser(error: unknown): error is CommanderError {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space));
}

const shape = z.looseObject({
  position: z.number(),
  stream: z.string(),
  type: z.string(),
  at: z.number(),
  data: z.unknown(),
});

export type Envelope = z.output<typeof shape>;

/** An event as the service sends it; handed on as it came, with its fields in their order. */
export const envelopeSchema = z.custom<Envelope>((value) => shape.safeParse(value).success);

/** Wide enough for most, so that lines that come one at a time still stand in columns. */
export const envelopeWidths = [6, 24, 24, 20];

export function envelopeRow({ position, at, type, stream, data, erased }: Envelope): string[] {
  return [String(position), showTime(at), type, stream, erased ? '(erased)' : JSON.stringify(data)];
}
