import type { Command } from 'commander';
import { globalOptions } from './options.ts';
import { RestClient } from './restClient.ts';
import { namedUser } from './user.ts';

export function clientOf(command: Command): RestClient {
  return new RestClient({ ...globalOptions(command), user: namedUser(command) });
}
