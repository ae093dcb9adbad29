import { join } from 'node:path';

/** As `npm start` has it. */
export const NODE_OPTIONS: readonly string[] = ['--v8-pool-size=0'];

/** What Node is given to start the service. */
export const startHark: readonly string[] = [
  ...NODE_OPTIONS,
  join(import.meta.dirname, '../../bin/hark.js'),
  'start',
];
