import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { sharedTypeNames } from '../../scripts/check-type-names.ts';

describe('the check of the names of types', () => {
  it('names each type that two files of the sources export, and takes neither overloads, private types nor tests for one', () => {
    const root = mkdtempSync(join(tmpdir(), 'hark-types-'));
    const files = {
      'src/a/turn.ts':
        'export class Turn {}\nexport interface Own {}\nexport interface Own {}\ninterface Private {}\n',
      'src/b/turn.ts': 'export type Turn = string;\ninterface Own {}\ninterface Private {}\n',
      'src/c.ts': "export type { Own } from './a/turn.ts';\nexport abstract class Turned {}\n",
      'src/d.ts': 'export interface Turned {}\n',
      'test/d.ts': 'export interface Own {}\n',
    };
    try {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), content);
      }
      assert.deepEqual(sharedTypeNames(root), [
        'Turn means something else in each of src/a/turn.ts, src/b/turn.ts',
        'Turned means something else in each of src/c.ts, src/d.ts',
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
