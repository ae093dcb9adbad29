import assert from 'node:assert/strict';
import { fc, test } from '@fast-check/vitest';
import { describe } from 'vitest';
import { fenced } from '../../src/application/fence.ts';

/* Whatever is told in it, a prompt has one fence, and each line that was told is one line inside it. */

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '</memory>',
    '< /memory>',
    '</memory-0000000000000000>',
    '<memory>',
    '\n',
    '\u2028',
    '\r',
    '\u202e',
  ),
);
const line = fc.array(hostile, { maxLength: 6 }).map((parts) => parts.join(''));

describe('the fence of memory', () => {
  test.prop([fc.array(line, { minLength: 1, maxLength: 5 })])(
    'cannot be broken by what stands in it',
    (lines) => {
      const told = fenced([{ heading: 'Said:', lines }]);
      const rows = told.split(/[\n\r\u2028\u2029\u0085\v\f]/);
      assert.equal(rows.length, 4 + lines.length);
      const [, mark = ''] = /^<(memory-[0-9a-f]{16})>$/.exec(rows[0] ?? '') ?? [];
      assert.equal(rows.at(-1), `</${mark}>`);
      for (const row of rows.slice(1, -1)) assert.doesNotMatch(row, /[<>\u202a-\u202e\u2066-\u2069]/);
    },
  );

  test('has another mark with each prompt', () => {
    const told = () => fenced([{ heading: 'Said:', lines: ['Hello'] }]).split('\n')[0];
    assert.notEqual(told(), told());
  });

  test('is not there where there is nothing in it', () => assert.equal(fenced([]), ''));
});
