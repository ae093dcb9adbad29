import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDeclarations } from './pack/declarations.ts';
import { licenceFile, licencesOf } from './pack/licences.ts';
import { packedManifest, restoreManifest } from './pack/manifest.ts';
import { stripSources } from './pack/sources.ts';
import { joinStart } from './pack/start/join.ts';
import { copyPackages } from './pack/vendored.ts';

/*
 * npm pack: what runs below `node_modules`, where Node translates no TypeScript. In `dist` lie the sources without their
 * types, line by line as they are here, beside the dashboard and the packages that they import, in the versions of the
 * lock file and without what no program reads. The manifest of the package stands in place of ours until npm has packed.
 */

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

restoreManifest(root);
if (!process.argv.includes('--restore')) {
  if (!existsSync(join(dist, 'dashboard/index.html')))
    throw new Error('Build the dashboard first: npm run dashboard');
  for (const entry of readdirSync(dist).filter((name) => name !== 'dashboard'))
    rmSync(join(dist, entry), { recursive: true });
  stripSources(join(root, 'src'), dist);
  writeDeclarations(join(dist, 'library.d.ts'));
  copyPackages(root, dist);
  await joinStart(dist);
  writeFileSync(join(dist, 'LICENCES.txt'), licenceFile(licencesOf(root)));
  packedManifest(root);
}
