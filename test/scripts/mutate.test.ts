import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { mutantsOf } from '../../scripts/mutate.ts';

/** Each changed program, with its changes one at a time. */
function changed(source: string): readonly string[] {
  return mutantsOf(source).map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));
}

describe('a change that tests have to see', () => {
  it('swaps an operator', () => {
    assert.deepEqual(changed('a < b'), ['a <= b']);
    assert.deepEqual(changed('a && b'), ['a || b']);
    assert.deepEqual(changed('a ?? b'), ['a']);
    assert.deepEqual(changed('a += b'), ['a -= b']);
  });

  it('takes a condition for true, and for false', () => {
    assert.deepEqual(changed('if (a) b'), ['if (true) b', 'if (false) b']);
    assert.deepEqual(changed('x = a ? b : c'), ['x = true ? b : c', 'x = false ? b : c']);
    assert.deepEqual(changed('x = !a'), ['x = a']);
  });

  it('changes a constant, and none that is only a type', () => {
    assert.deepEqual(changed('const a = 1'), ['const a = 2']);
    assert.deepEqual(changed('const a = 60_000'), ['const a = 120000']);
    assert.deepEqual(changed("type A = B[0] | 1 | 'b' | true"), []);
  });

  it('leaves out a statement that has something done, and a filter', () => {
    assert.deepEqual(changed('a();'), [';']);
    assert.deepEqual(changed('x = a.filter(b)'), ['x = a']);
    assert.deepEqual(changed('x = a.some(b)'), ['x = a.every(b)']);
  });
});
