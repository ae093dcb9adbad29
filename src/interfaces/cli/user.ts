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

export function addUserOption(command: Command): Command {
  return command.option('--user <id>', 'whose state (default: SERVICE_USER_ID)');
}

export function userOf(command: Command): string {
  const { user } = readOptions(command, optionsSchema);
  return user ?? readConfig({ SERVICE_USER_ID: process.env.SERVICE_USER_ID }).SERVICE_USER_ID;
}
