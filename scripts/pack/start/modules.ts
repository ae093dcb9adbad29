import { globSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync } from 'oxc-parser';

/** What a module of a package asks for at its first column, and so at once: what is indented is asked for later, or never. */
const REQUIRED_AT_ONCE = /^\S.*\brequire\(\s*(['"])([^'"\n]+)\1\s*\)/gm;

export interface StartModule {
  readonly path: string;
  /** By the specifier of each import, what it finds. */
  readonly imports: ReadonlyMap<string, string>;
  /** What it exports, also of others; `undefined` for one of CommonJS. */
  readonly names: ReadonlySet<string> | undefined;
}

/** The modules that are loaded when some are: those that they import, and those that these import. */
export function modulesOf(
  roots: readonly string[],
  isLeftOut: (specifier: string, from: string) => boolean,
): ReadonlyMap<string, StartModule> {
  const found = new Map<string, StartModule>();
  const visit = (path: string): StartModule => {
    const known = found.get(path);
    if (known) return known;
    const text = readFileSync(path, 'utf8');
    const { module: syntax } = parseSync(path, text);
    const isModule = syntax.hasModuleSyntax;
    const imports = new Map<string, string>();
    const names = new Set<string>();
    const module = { path, imports, names: isModule ? names : undefined };
    found.set(path, module);
    const reach = (specifier: string): StartModule | undefined => {
      if (isBuiltin(specifier) || isLeftOut(specifier, path)) return undefined;
      const target = isModule ? foundByImport(specifier, path) : createRequire(path).resolve(specifier);
      imports.set(specifier, target);
      return visit(target);
    };
    if (!isModule) for (const [, , specifier = ''] of text.matchAll(REQUIRED_AT_ONCE)) reach(specifier);
    for (const { moduleRequest } of syntax.staticImports) reach(moduleRequest.value);
    for (const { exportName, moduleRequest } of syntax.staticExports.flatMap(({ entries }) => entries)) {
      const other = moduleRequest && reach(moduleRequest.value);
      if (exportName.kind === 'Name' && exportName.name) names.add(exportName.name);
      else if (exportName.kind === 'Default') names.add('default');
      // All that another exports.
      else for (const name of other?.names ?? []) if (name !== 'default') names.add(name);
    }
    return module;
  };
  for (const root of roots) visit(root);
  return found;
}

const IMPORTED = /\b(?:from|import)\b\s*\(?\s*(['"])([^'"\n]+)\1/g;

/** Of joined modules those that others of the folder import, and all of packages, which are also loaded by address. */
export function importedBeside(dist: string, joined: ReadonlyMap<string, unknown>): ReadonlySet<string> {
  const found = new Set([...joined.keys()].filter((path) => path.includes('/node_modules/', dist.length)));
  for (const file of globSync('**/*.{js,mjs}', {
    cwd: dist,
    withFileTypes: true,
    exclude: ['dashboard', 'start'],
  })) {
    const path = join(file.parentPath, file.name);
    if (!file.isFile() || joined.has(path)) continue;
    for (const [, , specifier = ''] of readFileSync(path, 'utf8').matchAll(IMPORTED)) {
      if (!specifier.startsWith('.')) continue;
      const target = join(file.parentPath, specifier);
      if (joined.has(target)) found.add(target);
    }
  }
  return found;
}

/** With the flag `--experimental-import-meta-resolve` Node takes the second argument. */
export function foundByImport(specifier: string, asker: string): string {
  return fileURLToPath(import.meta.resolve(specifier, pathToFileURL(asker)));
}
