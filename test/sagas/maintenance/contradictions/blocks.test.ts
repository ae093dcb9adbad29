import assert from 'node:assert/strict';
import { it } from 'vitest';
import {
  BLOCK,
  GrowingRows,
  rowsOf,
} from '../../../../src/sagas/maintenance/contradictions/candidates/blocks.ts';

it('rows that came unexpected are those that were, in whole blocks that end in zeros', () => {
  const vectors = Array.from({ length: 3 * BLOCK + 1 }, (_, index) => Float32Array.of(index % 7, index % 5));
  const growing = new GrowingRows(2);
  const kept = vectors.flatMap((vector, index) => (growing.add(vector) ? [index] : []));
  const expected = rowsOf(vectors, vectors.length, 2);
  assert.deepEqual(kept, expected.kept);
  const { count, values } = growing.rows;
  assert.equal(count, kept.length);
  assert.ok(count < vectors.length, 'some point nowhere');
  assert.deepEqual(values.subarray(0, 2 * count), expected.rows.values.subarray(0, 2 * count));
  assert.ok(values.length % (2 * BLOCK) === 0 && values.subarray(2 * count).every((value) => value === 0));
});
