import { writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { replaced, writeJoined } from './lines.ts';
import { foundByImport, importedBeside, modulesOf, type StartModule } from './modules.ts';

/*
 * The modules that `hark start` loads before it is ready, some 680, joined into two files: for so many Node takes 130 ms
 * of computing and 15 MiB. Each stays where it is as well: threads and the other commands load it by itself.
 */

/** What opens the log, in a thread of its own, while this one loads the rest. */
const FIRST = [
  'main.js',
  'store/sqlite/adapter.js',
  'interfaces/cli/failure.js',
  'interfaces/cli/secrets.js',
];
/** What the others import when they are asked for it, which is before the service is ready. */
const REST = [
  'wiring/service.js',
  'interfaces/rest/listener.js',
  'interfaces/rest/server.js',
  'interfaces/mcp/server.js',
  'node_modules/abstract-logging/index.js',
  'node_modules/bintrees/lib/bintree.js',
  'node_modules/bintrees/lib/rbtree.js',
  'node_modules/fast-json-stringify/lib/serializer.js',
];

/** The same as `bin/imports.js` does to modules that come one by one. */
const { UNUSED }: { readonly UNUSED: ReadonlyMap<string, string> } = await import(
  new URL('../../../bin/imports.js', import.meta.url).href
);
const isUnused = (specifier: string, from: string) => from.includes(UNUSED.get(specifier) ?? '\0');
const isOfLocales = (specifier: string, from: string) =>
  specifier === '../locales/index.js' && from.includes('/zod/v4/');
const ENTRIES = ['\0first', '\0rest'];
const EMPTY = '\0empty';
const NOT_NEEDED = join(import.meta.dirname, '../../../bin/notNeeded.cjs');

/** Writes `start/` into a folder that has the modules of hark, and below it the packages that they import. */
export async function joinStart(dist: string): Promise<void> {
  const leftOut = (specifier: string, from: string) =>
    isUnused(specifier, from) || isOfLocales(specifier, from);
  const below = (names: readonly string[]) => names.map((name) => join(dist, name));
  const first = modulesOf(below(FIRST), leftOut);
  const all = modulesOf(below([...FIRST, ...REST]), leftOut);
  const asked = importedBeside(dist, all);
  const passed = [...all.values()].filter(({ path }) => asked.has(path));
  const entries = {
    first: passed.filter(({ path }) => first.has(path)),
    rest: passed.filter(({ path }) => !first.has(path)),
  };
  const folder = join(dist, 'start');
  const joined = await rolldown({
    input: { first: '\0first', rest: '\0rest' },
    platform: 'node',
    treeshake: false,
    plugins: [joining(dist, folder, all, entries)],
  });
  const { output } = await joined.generate({
    dir: folder,
    sourcemap: 'hidden',
    comments: false,
    minifyInternalExports: false,
    codeSplitting: {
      groups: [
        {
          name: 'joinedFirst',
          test: (id) => first.has(id) || id === EMPTY || id === NOT_NEEDED,
          priority: 2,
        },
        { name: 'joinedRest', test: (id) => all.has(id), priority: 1 },
      ],
    },
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
  });
  await joined.close();
  writeJoined(folder, dist, output, (path) => all.get(path)?.names === undefined);
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(exportsOf(dist, entries)));
}

type Entries = Readonly<Record<'first' | 'rest', readonly StartModule[]>>;

function joining(
  dist: string,
  folder: string,
  all: ReadonlyMap<string, StartModule>,
  entries: Entries,
): Plugin {
  const fromFolder = (path: string) => {
    const way = relative(folder, path);
    return way.startsWith('.') ? way : `./${way}`;
  };
  return {
    name: 'start',
    resolveId(specifier, importer = '', { kind }) {
      if (isBuiltin(specifier)) return { id: specifier, external: true };
      if (specifier.startsWith('\0') || ENTRIES.includes(importer)) return specifier;
      if (isUnused(specifier, importer)) return NOT_NEEDED;
      if (isOfLocales(specifier, importer)) return EMPTY;
      const path = placeOf(specifier, importer, kind === 'require-call');
      if (path !== undefined && all.has(path)) return path;
      const isOurs = !relative(dist, importer).startsWith('node_modules');
      // What comes later is found from there as it is from here, if it is a package.
      return {
        id: path && !(isOurs && !specifier.startsWith('.')) ? fromFolder(path) : specifier,
        external: true,
      };
    },
    load(id) {
      if (id === EMPTY) return '';
      if (id === '\0first') return passingOn(entries.first);
      return id === '\0rest' ? passingOn(entries.rest) : undefined;
    },
    /** What is read, or begun as a thread, is named from where each module was. */
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.')) return undefined;
      const way = fromFolder(id);
      return replaced(code, /import\.meta\.(?:main|url|dirname)/g, (found) => {
        if (found === 'import.meta.main') return 'false';
        return found === 'import.meta.url'
          ? `new URL('${way}', import.meta.url).href`
          : `(import.meta.dirname + '/${dirname(way)}')`;
      });
    },
  };
}

function placeOf(specifier: string, importer: string, isRequired: boolean): string | undefined {
  try {
    return isRequired ? createRequire(importer).resolve(specifier) : foundByImport(specifier, importer);
  } catch {
    return undefined;
  }
}

/** All that the modules export, under names that differ. */
function passingOn(modules: readonly StartModule[]): string {
  return modules
    .map(({ path, names }, index) => {
      const renamed = Array.from(names ?? [], (name) => `${name} as m${index}_${name}`);
      return `export { ${renamed.join(', ')} } from '${path}';\n`;
    })
    .join('');
}

/** By the path of each module where its exports are, and their names; see `bin/joined.js`. */
function exportsOf(dist: string, entries: Entries) {
  return Object.fromEntries(
    Object.entries(entries).flatMap(([entry, modules]) =>
      modules.flatMap(({ path, names }, index) =>
        names ? [[relative(dist, path), [entry, index, [...names]]]] : [],
      ),
    ),
  );
}
