import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { HarkError } from '../../errors.ts';
import type { Format, MemorySource, Place } from './sources.ts';

/** A file that a tool keeps, where it really lies. */
export interface KnownFile {
  readonly path: string;
  /** As people know it, below the base that it was found under. */
  readonly shown: string;
  readonly format: Format;
  /** What it may name other files below. */
  readonly base: string;
}

const MOST_FILES = 500;
const DEEPEST = 6;

/** Directories that may be looked into, as they are when all links have been followed. */
export class Places {
  readonly #home: string;
  readonly #roots: readonly string[];
  /** As they were named, perhaps through links. */
  readonly #named: readonly string[];

  private constructor(home: string, roots: readonly string[], named: readonly string[]) {
    this.#home = home;
    this.#roots = roots;
    this.#named = named;
  }

  static async at(home: string, roots: readonly string[]): Promise<Places> {
    const real = await Promise.all([home, ...roots].map((path) => realpath(path).catch(() => '')));
    const [realHome = '', ...others] = real;
    const realRoots = others.filter((path) => path !== '');
    return new Places(realHome, realRoots, [home, ...roots]);
  }

  /** What the tool keeps in the home directory and in the projects of the roots. */
  async filesOf(tool: MemorySource): Promise<readonly KnownFile[]> {
    const projects = await Promise.all(this.#roots.map(projectsIn));
    const found = new Map<string, KnownFile>();
    const bases: [string, readonly Place[]][] = [[this.#home, [...tool.home, ...tool.project]]];
    for (const project of projects.flat()) bases.push([project, tool.project]);
    for (const [base, places] of bases)
      for (const place of base === '' ? [] : places)
        for (const path of await match(base, place.pattern)) await this.#note(found, tool, path, base, place);
    return [...found.values()].slice(0, MOST_FILES);
  }

  /**
   * The same of a file or folder that the caller names. What lies elsewhere is refused before anybody looks
   * whether it is there, and again when links have been followed.
   */
  async filesAt(tool: MemorySource, asked: string): Promise<readonly KnownFile[]> {
    const path = this.#pathOf(asked);
    const real = await realpath(path).catch(() => undefined);
    // Whether something is there is told of known places only.
    if (real === undefined) throw this.#placeOf(tool, path) ? nothingThere() : outside();
    if (this.#baseOf(real) === '') throw outside();
    const isFolder = await lstat(real).then((stats) => stats.isDirectory());
    if (!isFolder) {
      const place = this.#placeOf(tool, real);
      if (!place) throw outside();
      return [{ path: real, shown: this.#shown(real), format: place.format, base: this.#baseOf(real) }];
    }
    const files = (await this.filesOf(tool)).filter((file) => file.path.startsWith(real + sep));
    const found = new Map(files.map((file) => [file.path, file]));
    for (const place of tool.project)
      for (const file of await match(real, place.pattern)) await this.#note(found, tool, file, real, place);
    if (found.size === 0) throw outside();
    return [...found.values()].slice(0, MOST_FILES);
  }

  /** A file of lines that somebody put into one of the roots, for us. */
  async fileOfLines(asked: string): Promise<KnownFile> {
    const named = this.#pathOf(asked);
    const path = await realpath(named).catch(() => named);
    const root = this.#roots.find((base) => isBelow(base, path));
    if (!root || !/\.(json|jsonl|ndjson)$/.test(path)) throw outside();
    return { path, shown: relative(root, path), format: 'lines', base: root };
  }

  /** A text that a tool's own settings name: only below the same base, and only notes. */
  async named(by: KnownFile, name: string): Promise<KnownFile | undefined> {
    const path = await realpath(resolve(join(by.path, '..'), name)).catch(() => undefined);
    const isNotes = path !== undefined && /\.(md|mdc|txt)$/i.test(path) && isBelow(by.base, path);
    return isNotes ? { path, shown: this.#shown(path), format: 'notes', base: by.base } : undefined;
  }

  async #note(
    found: Map<string, KnownFile>,
    tool: MemorySource,
    path: string,
    base: string,
    { format }: Place,
  ): Promise<void> {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || found.has(real)) return;
    const isKept = this.#baseOf(real) !== '' && this.#placeOf(tool, real) !== undefined;
    if (isKept) found.set(real, { path: real, shown: this.#shown(path), format, base });
  }

  /** What kind of file of the tool this is, if it is one: a link must not make one of another file. */
  #placeOf(tool: MemorySource, path: string): Place | undefined {
    const parts = relative(this.#baseOf(path), path).split(sep);
    const isAt = ({ pattern }: Place, from: number) => matches(parts.slice(from), pattern.split('/'));
    const inHome = isBelow(this.#home, path) ? tool.home : [];
    return (
      inHome.find((place) => isAt(place, 0)) ??
      tool.project.find((place) => parts.some((_part, from) => isAt(place, from)))
    );
  }

  #baseOf(path: string): string {
    return [this.#home, ...this.#roots].find((base) => base !== '' && isBelow(base, path)) ?? '';
  }

  #shown(path: string): string {
    const isAtHome = isBelow(this.#home, path);
    return isAtHome ? join('~', relative(this.#home, path)) : path;
  }

  /** Refuses what was named outside of everything, before anybody looks whether it is there. */
  #pathOf(asked: string): string {
    const path = resolve(this.#home || '/', asked.replace(/^~(?=\/|$)/, this.#home));
    const isInside = [this.#home, ...this.#roots, ...this.#named].some((base) => isBelow(base, path));
    if (asked.includes('\0') || !isInside) throw outside();
    return path;
  }
}

function outside(): HarkError {
  return new HarkError('FORBIDDEN', { message: 'The path is not one of the known places of this source' });
}

function nothingThere(): HarkError {
  return new HarkError('VALIDATION_FAILED', {
    body: { issues: [{ path: ['path'], message: 'Nothing exists at this path' }] },
  });
}

function isBelow(base: string, path: string): boolean {
  return base !== '' && (path === base || path.startsWith(base.endsWith(sep) ? base : base + sep));
}

/** A root is a project, or a folder of projects. */
async function projectsIn(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return [root, ...folders.slice(0, MOST_FILES).map(({ name }) => join(root, name))];
}

/** Files below a base that fit. A link to a folder is not followed: there is no end to where it leads. */
async function match(base: string, pattern: string): Promise<readonly string[]> {
  const walk = async (folder: string, parts: readonly string[], depth: number): Promise<string[]> => {
    const [part = '', ...rest] = parts;
    if (depth > DEEPEST) return [];
    if (part !== '**' && !part.includes('*')) {
      const path = join(folder, part);
      if (rest.length > 0) return walk(path, rest, depth);
      const stats = await lstat(path).catch(() => undefined);
      return stats && !stats.isDirectory() ? [path] : [];
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const found: string[] = part === '**' ? await walk(folder, rest, depth) : [];
    for (const entry of entries.slice(0, MOST_FILES)) {
      const path = join(folder, entry.name);
      if (part === '**') {
        if (entry.isDirectory()) found.push(...(await walk(path, parts, depth + 1)));
      } else if (!matches([entry.name], [part])) continue;
      else if (rest.length > 0) found.push(...(await walk(path, rest, depth)));
      else if (!entry.isDirectory()) found.push(path);
    }
    return found;
  };
  return walk(base, pattern.split('/'), 0);
}

function matches(parts: readonly string[], pattern: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return parts.length === 0;
  if (first === '**') return parts.some((_part, from) => matches(parts.slice(from), rest));
  const [name, ...others] = parts;
  if (name === undefined || !matches(others, rest)) return false;
  const [start = '', end] = first.split('*');
  if (end === undefined) return name === first;
  return name.length >= first.length - 1 && name.startsWith(start) && name.endsWith(end);
}
