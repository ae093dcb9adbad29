import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, test } from 'vitest';
import { ensureBuilt, shellFiles } from '../support/dashboard.ts';

const dashboard = join(import.meta.dirname, '../../dashboard/src');
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

test('no colour, size of type or space is named but in the tokens', () => {
  const styles = globSync('**/*.css', { cwd: dashboard }).filter((file) => !file.endsWith('tokens.css'));
  assert.ok(styles.length > 10);
  for (const file of styles) {
    const text = readFileSync(join(dashboard, file), 'utf8');
    assert.doesNotMatch(
      text,
      /:[^;{}]*(?:#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\()[^;{}]*;/i,
      file,
    );
    assert.doesNotMatch(text, /\b(?:font|font-size|margin|padding|gap)[a-z-]*:[^;]*\d(?:rem|em|pt)\b/, file);
  }
});
