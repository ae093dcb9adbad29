import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { missingPaths } from '../../scripts/check-paths.ts';

describe('the check of files that are named', () => {
  it('finds nothing where each path and each end of a path is there, whatever stands for an area in it', () => {
    const files = {
      'README.md':
        'See `src/a/b.ts`, `src/a`, `a/<verbNoun>.ts`, `a/*.ts`, `b.ts`, [docs](docs/a.md#part) and [web](https://a.b/c.md).',
      'docs/a.md':
        'Back [home](../README.md) and to the [next](b.md). `npm run a -- src/a/b.ts` reads `.ts`, not `ts`.',
      'docs/b.md': '',
      'src/a/b.ts':
        '/** As `b.ts`, src/a/b.ts and https://a.b/docs/none say. */\nexport const path = "src/none.ts";\n',
    };
    assert.deepEqual(missingIn(files), []);
  });

  it('says where a document or a comment names a file or a folder that is not there', () => {
    const files = {
      'README.md': 'See\n`src/none` and [more](docs/none.md).\n',
      'CONTRIBUTING.md': '`test/<area>` and `npm test -- test/none.ts`, or `a/none.ts` and `none.ts`.',
      'docs/a.md': '[home](README.md)',
      'src/a/b.ts': '// As `none.ts` does.\n/*\n * See test/none/b.test.ts, and other.ts.\n */\nexport {};\n',
    };
    assert.deepEqual(missingIn(files), [
      'CONTRIBUTING.md:1 names test/<area>, which does not exist',
      'CONTRIBUTING.md:1 names test/none.ts, which does not exist',
      'CONTRIBUTING.md:1 names a/none.ts, which does not exist',
      'CONTRIBUTING.md:1 names none.ts, which does not exist',
      'README.md:2 names docs/none.md, which does not exist',
      'README.md:2 names src/none, which does not exist',
      'docs/a.md:1 names docs/README.md, which does not exist',
      'src/a/b.ts:1 names none.ts, which does not exist',
      'src/a/b.ts:3 names test/none/b.test.ts, which does not exist',
      'src/a/b.ts:3 names other.ts, which does not exist',
    ]);
  });
});

function missingIn(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'hark-paths-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    return missingPaths(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}
