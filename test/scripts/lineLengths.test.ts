import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { longLines } from '../../scripts/check-line-lengths.ts';

describe('the check of line lengths', () => {
  it('names each line over 140 characters, and leaves alone what is installed, locked or a record a line', () => {
    const root = mkdtempSync(join(tmpdir(), 'hark-lines-'));
    const long = 'x'.repeat(141);
    const files = {
      'src/a/b.ts': `${'x'.repeat(140)}\n${long}\n`,
      'bench/package-lock.json': long,
      'bench/node_modules/a/index.js': long,
      'test/a.jsonl': long,
      'docs/a.ts': long,
    };
    try {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
      assert.deepEqual(longLines(root), ['src/a/b.ts:2 has 141 characters of 140']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
