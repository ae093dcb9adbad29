import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, test } from 'vitest';
import { ensureBuilt, shellFiles } from '../support/dashboard.ts';

const built = join(import.meta.dirname, '../../dist/dashboard');
const gzipped = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);

describe('what the dashboard weighs', () => {
  beforeAll(ensureBuilt);

  test('the shell is at most 30 KB compressed, everything at most 150', () => {
    const shell = gzipped(shellFiles());
    const all = gzipped(globSync(join(built, '**/*.{js,css,html}')));
    assert.ok(shell > 5_000 && shell <= 30_000, `shell: ${shell} bytes`);
    assert.ok(all >= shell && all <= 150_000, `everything: ${all} bytes`);
  });

  test('nothing in it asks another origin, or makes code of a text', () => {
    for (const file of globSync(join(built, '**/*.{js,css,html}'))) {
      const text = readFileSync(file, 'utf8');
      assert.doesNotMatch(text, /(?:(?:import|fetch|src|href)\W{1,3}|url\(\W?)https?:/, file);
      assert.doesNotMatch(text, /\beval\(|new Function\(|document\.write/, file);
    }
  });
});
