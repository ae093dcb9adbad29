import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()) });

/** What is for a clone alone. */
const ONLY_HERE = ['private', 'scripts', 'dependencies', 'devDependencies', 'allowScripts'];

/**
 * The manifest of the package. What it needs lies in it, so that npm fetches nothing but what is optional: every
 * installation has the versions that were tested.
 */
export function packedManifest(root: string): void {
  const file = join(root, 'package.json');
  const given = manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !ONLY_HERE.includes(name)));
  const packed = {
    ...kept,
    engines: { node: '>=24' },
    types: './dist/library.d.ts',
    exports: {
      '.': { types: './dist/library.d.ts', default: './dist/library.js' },
      './package.json': './package.json',
    },
  };
  renameSync(file, keptManifest(root));
  writeFileSync(file, `${JSON.stringify(packed, null, 2)}\n`);
}

/** Ours again, also after a pack that was broken off. */
export function restoreManifest(root: string): void {
  const kept = keptManifest(root);
  if (existsSync(kept)) renameSync(kept, join(root, 'package.json'));
}

function keptManifest(root: string): string {
  return join(root, 'package.clone.json');
}
