import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const IMPORTED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\bimport\.meta\.resolve\(\s*)(['"])([^'"\n]+)\1/g;
const REQUIRED = /\brequire\(\s*(['"])([^'"\n]+)\1\s*\)/g;

/** The files of these packages, below `root`, that the modules of a folder import, at once or later. */
export function filesReached(folder: string, root: string, packages: readonly string[]): ReadonlySet<string> {
  const inside = packages.map((name) => realpathSync(join(root, 'node_modules', name)) + sep);
  const found = new Set<string>();
  const visit = (file: string, asker = file) => {
    for (const target of importsOf(file, asker)) {
      if (found.has(target) || !inside.some((place) => target.startsWith(place))) continue;
      found.add(target);
      visit(target);
    }
  };
  // As if they stood where what they import is found.
  const asker = join(root, 'package.json');
  for (const file of globSync('**/*.js', { cwd: folder, exclude: ['node_modules', 'dashboard'] }))
    visit(join(folder, file), asker);
  return found;
}

function importsOf(file: string, asker: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  const imported = Array.from(text.matchAll(IMPORTED), ([, , specifier = '']) => specifier);
  const required = Array.from(text.matchAll(REQUIRED), ([, , specifier = '']) => specifier);
  return [
    ...imported.flatMap((specifier) => resolved(specifier, () => foundByImport(specifier, asker))),
    ...required.flatMap((specifier) => resolved(specifier, () => createRequire(asker).resolve(specifier))),
  ];
}

function resolved(specifier: string, find: () => string): readonly string[] {
  if (isBuiltin(specifier)) return [];
  try {
    const found = find();
    return existsSync(found) ? [found] : [];
  } catch {
    // Of what is optional, and of words that look like an import.
    return [];
  }
}

/** With the flag `--experimental-import-meta-resolve` Node takes the second argument. */
function foundByImport(specifier: string, asker: string): string {
  return fileURLToPath(import.meta.resolve(specifier, pathToFileURL(asker)));
}
