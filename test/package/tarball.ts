import { hash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../support/dashboard.ts';
import { oneAtATime } from '../support/oneAtATime.ts';
import { npm } from './npm.ts';

const root = join(import.meta.dirname, '../..');
/** What is packed, and what packing reads. */
const SOURCES = ['bin', 'dist', 'docs', 'migrations', 'scripts', 'src', 'package.json', 'package-lock.json'];
/** Which packages lie here, whose files are packed as well. */
const INSTALLED = 'node_modules/.package-lock.json';
const CACHE = join(root, 'node_modules/.cache/hark-package');

/**
 * The package as npm packs it, copied to this folder. It is packed once for what is packed: tests in other processes
 * meanwhile wait for it, and those that come later find it.
 */
export function tarballIn(folder: string): string {
  // What is packed does not change meanwhile.
  ensureBuilt();
  return oneAtATime('package', () => {
    mkdirSync(CACHE, { recursive: true });
    const sources = [...SOURCES, ...globSync('*.md', { cwd: root }), 'LICENSE'];
    const kept = `${digestOf([...sources, INSTALLED])}.tgz`;
    if (!existsSync(join(CACHE, kept))) {
      for (const old of readdirSync(CACHE).filter((name) => name.endsWith('.tgz'))) rmSync(join(CACHE, old));
      pack(sources, join(CACHE, kept));
    }
    const tarball = join(folder, 'hark-agent.tgz');
    copyFileSync(join(CACHE, kept), tarball);
    return tarball;
  });
}

/** In a copy, since the manifest changes meanwhile, which other tests read. Only the dashboard is taken as it is. */
function pack(sources: readonly string[], tarball: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'hark-packing-'));
  try {
    const copy = join(folder, 'clone');
    for (const name of sources) cpSync(join(root, name), join(copy, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    npm(['run', 'prepack'], copy);
    npm(['pack', '--ignore-scripts', '--pack-destination', folder], copy);
    const [name = ''] = globSync('*.tgz', { cwd: folder });
    // Another disk may hold the temporary folder; half a file is never found under this name.
    copyFileSync(join(folder, name), `${tarball}.part`);
    renameSync(`${tarball}.part`, tarball);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of every file in them, and of the Node that packs. */
function digestOf(names: readonly string[]): string {
  const files = names.flatMap((name) => [name, ...globSync(`${name}/**/*`, { cwd: root })]);
  const digests = files.sort().map((file) => {
    const content = contentOf(join(root, file));
    return content === undefined ? file : `${file} ${hash('sha256', content)}`;
  });
  return hash('sha256', [process.version, ...digests].join('\n'));
}

/** Undefined of a folder. */
function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'EISDIR') return undefined;
    throw error;
  }
}
