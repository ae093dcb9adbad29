import { Credentials } from '../../../src/gateways/credentials/credentials.ts';

/** Stores so many keys of its own, one after the other: writerProcess.ts <directory> <name> <count> */
const [directory = '', name = '', count = '0'] = process.argv.slice(2);
const credentials = new Credentials({ directory, enforceSalt: false });
for (let number = 0; number < Number(count); number++)
  await credentials.store(`provider-${name}-${number}`, `sk-${name}-${number}`);
