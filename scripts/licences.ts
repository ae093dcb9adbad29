import { join } from 'node:path';
import { licencesOf } from './pack/licences.ts';

/*
 * npm run licences: the licence of each package that hark ships. Ends with 1 where one asks for more than to be named,
 * so that nobody ships it unseen.
 */

const licences = licencesOf(join(import.meta.dirname, '..'));
for (const { name, version, licence, isAllowed } of licences)
  console.log(`${isAllowed ? ' ' : '✖'} ${`${name} ${version}`.padEnd(56)} ${licence}`);
const refused = licences.filter(({ isAllowed }) => !isAllowed);
console.log(`${licences.length} packages, ${refused.length} with a licence that asks for more`);
process.exitCode = refused.length === 0 ? 0 : 1;
