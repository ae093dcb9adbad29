import { globSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, join, posix, sep } from 'node:path';
import { areas, common, computing, dividedFolders, type Layer, layers, mayCross } from './layers.ts';
import { type ModuleImport, readModule } from './moduleImports.ts';

interface Edge extends ModuleImport {
  readonly from: string;
  /** The file below `src`; `undefined` for a package, a builtin or what lies outside. */
  readonly to: string | undefined;
}

/** The dependency rule on the sources under `root`: one line a violation, none when all is well. */
export function checkDependencies(root: string): string[] {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.split(sep).slice(1).join('/'))
    .sort();
  const violations: string[] = [];
  const edges: Edge[] = [];
  for (const file of files) {
    const { imports, onlyReExports } = readModule(join(root, 'src', file));
    violations.push(...checkPlace(file, onlyReExports));
    for (const found of imports) edges.push({ ...found, from: file, to: targetOf(file, found.specifier) });
  }
  for (const edge of edges) {
    const why = whyRefused(edge);
    if (why) violations.push(describe(edge, why));
  }
  return [...violations, ...cycles(edges)];
}

function checkPlace(file: string, onlyReExports: boolean): string[] {
  const wrong: string[] = [];
  if (!layers[layerOf(file)]) wrong.push(`no layer of this name in scripts/layers.ts`);
  if (/(^|\/)utils?(\/|\.tsx?$)/.test(file)) wrong.push('name what it is for, not utils');
  if (basename(file) === 'index.ts' && onlyReExports) wrong.push('an index.ts that only re-exports');
  return wrong.map((why) => `src/${file}:1: ${why}`);
}

function whyRefused(edge: Edge): string | undefined {
  const layer = rulesFor(edge.from);
  if (edge.specifier === undefined)
    return computing.includes(edge.from) ? undefined : 'a computed path cannot be checked';
  if (edge.to !== undefined) return whyFileRefused(edge, edge.to, layer);
  if (edge.specifier.startsWith('.')) return 'it lies outside src';
  return whyPackageRefused(edge, edge.specifier, layer);
}

function whyFileRefused({ from, typeOnly }: Edge, to: string, layer: Layer): string | undefined {
  const name = layerOf(from);
  if (name !== layerOf(to) && !covers([...layer.imports, ...common], to)) {
    if (!covers(layer.types, to)) return `${name} may not import ${layerOf(to)}`;
    if (!typeOnly) return `${name} may import only its types (import type)`;
  }
  const [own, other] = [areaOf(from), areaOf(to)];
  const crosses = own !== undefined && other !== undefined && own !== other;
  return crosses && !mayCross(from, to) ? `${own} may not use this of another area, ${other}` : undefined;
}

function whyPackageRefused({ from, typeOnly }: Edge, specifier: string, layer: Layer): string | undefined {
  const name = layerOf(from);
  if (specifier.startsWith('node:') || builtinModules.includes(specifier)) {
    return layer.node ? undefined : `${name} may not import from Node`;
  }
  const needed = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
  if (covers(layer.packages, needed) || (typeOnly && covers(layer.packageTypes, needed))) return undefined;
  return covers(layer.packageTypes, needed)
    ? `${name} may import only its types (import type)`
    : `${name} may not import this package`;
}

/** The row of the file's layer, and those of folders within it that the file lies in. */
function rulesFor(file: string): Layer {
  const rows = Object.entries(layers).flatMap(([name, row]) => (covers([name], file) ? [row] : []));
  return {
    imports: rows.flatMap((row) => row.imports),
    types: rows.flatMap((row) => row.types),
    packages: rows.flatMap((row) => row.packages),
    packageTypes: rows.flatMap((row) => row.packageTypes),
    node: rows.every((row) => row.node),
  };
}

/** A list entry is `*`, one file or package, or a folder with all that is in it. */
function covers(list: readonly string[], path: string): boolean {
  return list.some((entry) => entry === '*' || path === entry || path.startsWith(`${entry}/`));
}

/** The first folder, or the name of a file that lies directly in `src`. */
function layerOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function areaOf(file: string): string | undefined {
  const folder = dividedFolders.find((divided) => file.startsWith(`${divided}/`));
  const [name = '', ...inside] = folder ? file.slice(folder.length + 1).split('/') : [];
  const area = name.replace(/\.tsx?$/, '');
  return inside.length > 0 || areas.has(area) ? area : undefined;
}

function targetOf(from: string, specifier: string | undefined): string | undefined {
  if (!specifier?.startsWith('.')) return undefined;
  const path = posix.join(dirname(from), specifier);
  return path.startsWith('..') ? undefined : path;
}

/** One line for each import that closes a circle; imports of types count, since they too tie files together. */
function cycles(edges: readonly Edge[]): string[] {
  const edgesFrom = Map.groupBy(edges, ({ from }) => from);
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (done.has(file)) return;
    for (const edge of edgesFrom.get(file) ?? []) {
      const start = edge.to === undefined ? -1 : path.indexOf(edge.to);
      if (start >= 0) found.push(describe(edge, `a cycle: ${[...path.slice(start), edge.to].join(' → ')}`));
      else if (edge.to !== undefined) visit(edge.to, [...path, edge.to]);
    }
    done.add(file);
  };
  for (const file of edgesFrom.keys()) visit(file, [file]);
  return found;
}

function describe({ from, line, to, specifier }: Edge, why: string): string {
  return `src/${from}:${line} imports ${to ?? specifier ?? 'something computed'}: ${why}`;
}

if (import.meta.main) {
  const violations = checkDependencies(join(import.meta.dirname, '..'));
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
