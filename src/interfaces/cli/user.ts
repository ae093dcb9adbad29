import type { Command } from 'commander';
import { z } from 'zod';
import { readConfig } from '../../config.ts';
import { readOptions } from './options.ts';

const optionsSchema = z.object({
  user: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,128}$/, 'must be 1 to 128 letters, digits, _ or -')
    .optional(),
});

export const whoAsks = 'who asks (default: as the service has it)';

export function addUserOption(command: Command, about = 'whose state (default: SERVICE_USER_ID)'): Command {
  return command.option('--user <id>', about);
}

/** Undefined where the service is to decide. */
export function namedUser(command: Command): string | undefined {
  return readOptions(command, optionsSchema).user;
}

export function userOf(command: Command): string {
  return namedUser(command) ?? readConfig({ SERVICE_USER_ID: process.env.SERVICE_USER_ID }).SERVICE_USER_ID;
}
