import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { isMeasured, limitRow, ratioRow, toMarkdown } from '../../bench/support/table.ts';

const BENCH = join(import.meta.dirname, '../../bench/run.ts');

describe('npm run bench', () => {
  test('names what a benchmark lacks, and fails', () => {
    // Nothing is found there, nor anything that could install it.
    const env = { PATH: join(import.meta.dirname, 'nothing') };
    const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, 'http', 'mcp', '--rounds', '1'], {
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 1);
    assert.match(stderr, /^Not measured: http: missing is wrk \(Debian package wrk\)/m);
    assert.match(stderr, /^Not measured: mcp: missing is wrk/m);
    assert.equal(stdout, '');
  });

  test('takes a row without a figure for a failure', () => {
    const beside = (figure: number) => ({ name: 'a peer', figure });
    const unmeasured = [
      limitRow('a', Number.NaN, 10, 'ms'),
      limitRow('b', 5, 10, 'ms', `a peer: ${Number.NaN} ms`),
      ratioRow('c', beside(Number.NaN), 1, { most: 2 }, 'ms'),
      ratioRow('d', beside(0), 1, { least: 2 }, '/s'),
    ];
    for (const row of unmeasured) {
      assert.equal(isMeasured(row), false, row.what);
      assert.match(toMarkdown('title', [row]), /not measured ✗/);
    }
    const measured = ratioRow('e', beside(2), 1, { most: 2 }, 'ms');
    assert.equal(isMeasured(measured), true);
    assert.match(toMarkdown('title', [measured]), /0\.50 × ✓/);
  });
});
