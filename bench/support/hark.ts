import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** What Node is given to start the service, as `npm start` has it. */
export const startHark: readonly string[] = startScript()
  .split(' ')
  .slice(2)
  .map((argument) => (argument.endsWith('.js') ? join(root, argument) : argument));

/** Of these, what is meant for V8. */
export const NODE_OPTIONS: readonly string[] = startHark.filter((argument) => argument.startsWith('--'));

function startScript(): string {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.start;
}
