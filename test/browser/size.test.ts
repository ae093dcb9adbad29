import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, test } from 'vitest';
import { ensureBuilt, shellFiles } from '../support/dashboard.ts';

const KIB = 1_024;
const built = join(import.meta.dirname, '../../dist/dashboard');
const gzipped = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0) / KIB;

describe('what the dashboard weighs', () => {
  beforeAll(ensureBuilt);

  test('the shell is at most 30 KiB compressed, everything at most 150', () => {
    const shell = gzipped(shellFiles());
    const all = gzipped(globSync(join(built, '**/*.{js,css,html}')));
    assert.ok(shell > 5 && shell <= 30, `shell: ${shell.toFixed(1)} KiB`);
    assert.ok(all >= shell && all <= 150, `everything: ${all.toFixed(1)} KiB`);
  });

  test('nothing in it names another origin, or makes HTML or code of a text', () => {
    for (const file of globSync(join(built, '**/*.{js,css,html}'))) {
      const text = readFileSync(file, 'utf8');
      const urls = Array.from(text.matchAll(/https?:\/\/[\w.-]+/g), ([url]) => url);
      // Namespaces are names, and the router says where its error is explained: neither is ever asked for.
      const named = ['http://www.w3.org', 'https://github.com'];
      const asked = urls.filter((url) => !named.includes(url));
      assert.deepEqual(asked, [], file);
      assert.doesNotMatch(text, /\beval\(|new Function\(|document\.write/, file);
    }
  });
});
