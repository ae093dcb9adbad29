import type { Command } from 'commander';
import { z } from 'zod';
import { ID_PATTERN } from '../operation.ts';
import { readOptions } from './options.ts';

const optionsSchema = z.object({
  session: z.string().regex(ID_PATTERN, 'must be 1 to 128 letters, digits, _ or -').optional(),
});

export function addSessionOption(command: Command, otherwise: string): Command {
  return command.option('--session <id>', `conversation to continue (default: ${otherwise})`);
}

export function sessionOf(command: Command): string | undefined {
  return readOptions(command, optionsSchema).session;
}
