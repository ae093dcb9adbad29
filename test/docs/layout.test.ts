import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { common, layers } from '../../scripts/layers.ts';

const root = join(import.meta.dirname, '../..');
const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** What the rows of CONTRIBUTING's table say, by folder of `src`. */
const rows = new Map(
  [...contributing.matchAll(/^\| `(\w+)` +\|[^|]+\|([^|]+)\|$/gm)].map(([, folder = '', uses = '']) => {
    const [imports = '', types = ''] = uses.split('types of');
    return [folder, { imports: foldersIn(imports), types: foldersIn(types) }] as const;
  }),
);

/** Folders of `src` that are named, be it as a whole or one port in it. */
function foldersIn(words: string): readonly string[] {
  return [...words.matchAll(/\w+/g)]
    .map(([word]) => word)
    .filter((word) => word in layers)
    .sort();
}

function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = paths.filter((path) => !/^[^/]+\.ts$/.test(path)).map((path) => path.split('/')[0] ?? '');
  return [...new Set(folders)].sort();
}

describe("CONTRIBUTING's table of layers", () => {
  it('has a row for each folder of src that is not for all', () => {
    const folders = Object.keys(layers).filter((name) => /^\w+$/.test(name) && !common.includes(name));
    assert.deepEqual([...rows.keys()].sort(), folders.sort());
  });

  for (const [folder, { imports, types }] of rows) {
    if (folder === 'wiring') continue;
    it(`says of ${folder} what the dependency rule says`, () => {
      const layer = layers[folder];
      assert.ok(layer);
      assert.deepEqual(
        { imports, types },
        { imports: foldersOf(layer.imports), types: foldersOf(layer.types) },
      );
    });
  }
});

describe('a folder of tests', () => {
  const ofAnotherKind = /^(bounds|browser|docs|fault|outside|package|scenes|scripts|service|support)(\/|$)/;

  for (const folder of globSync('**/', { cwd: join(root, 'test'), exclude: ['**/node_modules'] })) {
    if (folder === '.' || ofAnotherKind.test(folder)) continue;
    it(`is named after the sources that it tests: ${folder}`, () => {
      assert.ok(existsSync(join(root, 'src', folder)));
    });
  }
});
