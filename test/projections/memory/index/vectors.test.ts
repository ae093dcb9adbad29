import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { UserVectors } from '../../../../src/projections/memory/index/vectors/userVectors.ts';
import { fromRows, inRows } from '../../../../src/projections/memory/index/vectors/vectorRows.ts';
import { VectorSet } from '../../../../src/projections/memory/index/vectors/vectorSet.ts';

const float = fc.oneof(
  fc.float({ noNaN: true, min: -1, max: 1 }),
  fc.constantFrom(0, Number.NaN, Number.POSITIVE_INFINITY, 3.4e38, 1e-40),
);
const step = fc.record({
  id: fc.nat(12).map((number) => `v${number}`),
  vector: fc.option(
    fc.array(float, { minLength: 5, maxLength: 5 }).map((values) => Float32Array.from(values)),
    {
      nil: undefined,
    },
  ),
});

const CROWD_DIMENSIONS = 37;
/** All about one direction, some with a number that outweighs the rest by far. */
const crowd = fc
  .record({
    spread: fc.constantFrom(0, 1e-6, 1e-3, 0.1, 1),
    outlier: fc.constantFrom(0, 1, 100),
    seed: fc.integer(),
  })
  .map(({ spread, outlier, seed }) =>
    Array.from({ length: 60 }, (_, row) =>
      Float32Array.from({ length: CROWD_DIMENSIONS }, (_, at) => {
        const noise = Math.sin(seed + 131 * row * (at + 1));
        return Math.sin(at + 1) + spread * noise + (at === row % 5 ? outlier : 0);
      }),
    ),
  );

const passagesOf = (model: string) => ({ of: 'passages', model }) as const;

describe('vectors', () => {
  it.prop([fc.array(step, { maxLength: 150 })])(
    'are found as a plain loop over all of them finds them, whatever came and went',
    (steps) => {
      const set = new VectorSet(5);
      const known = new Map<string, Float32Array>();
      for (const { id, vector } of steps) {
        known.delete(id);
        if (vector) {
          set.set({ id, vector });
          if (Number.isFinite(lengthOf(vector)) && lengthOf(vector) > 0) known.set(id, vector);
        } else set.delete(id);
      }
      assert.equal(set.size, known.size);
      const wanted = Float32Array.of(1, -0.5, 0.25, 0, 2);
      const expected = new Map(Array.from(known, ([id, vector]) => [id, cosine(wanted, vector)]));
      const got = set.nearest(wanted, 20, -1);
      assert.deepEqual(new Set(got.map(({ id }) => id)), new Set(expected.keys()));
      for (const { id, similarity } of got) assert.ok(Math.abs(similarity - (expected.get(id) ?? 9)) < 1e-5);
      const order = got.map(({ similarity }) => similarity);
      assert.deepEqual(
        order,
        order.toSorted((one, other) => other - one),
      );
    },
  );

  it.prop([crowd, fc.nat(12), fc.float({ noNaN: true, min: -1, max: 1 })])(
    'are the nearest of all, however little lies between them, and with the same similarity',
    (vectors, limit, threshold) => {
      const set = new VectorSet(CROWD_DIMENSIONS);
      const [wanted = new Float32Array(), ...others] = vectors;
      for (const [index, vector] of others.entries()) set.set({ id: `v${index}`, vector });
      const all = set.nearest(wanted, others.length, -1);
      const expected = all.filter(({ similarity }) => similarity >= threshold).slice(0, limit);
      assert.deepEqual(set.nearest(wanted, limit, threshold), expected);
    },
  );

  const moved = fc.record({
    id: fc.nat(12).map((number) => `v${number}`),
    goes: fc.boolean(),
    values: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 5, maxLength: 5 }),
    searches: fc.nat(3),
  });

  it.prop([fc.array(moved, { minLength: 10, maxLength: 60 }), fc.integer({ min: 1, max: 4 })])(
    'are found the same, however many of them earlier searches have rounded',
    (steps, limit) => {
      const wanted = Float32Array.of(1, -0.5, 0.25, 0, 2);
      const set = new VectorSet(5);
      const known = new Map<string, Float32Array>();
      for (const { id, goes, values, searches } of steps) {
        const vector = Float32Array.of(1, ...values.slice(1));
        known.delete(id);
        if (!goes) known.set(id, vector);
        if (goes) set.delete(id);
        else set.set({ id, vector });
        for (let search = 0; search < searches; search++) set.nearest(wanted, limit, -1);
      }
      const unsearched = new VectorSet(5);
      for (const [id, vector] of known) unsearched.set({ id, vector });
      const similarities = (one: VectorSet) =>
        one.nearest(wanted, limit, -1).map(({ similarity }) => similarity);
      assert.deepEqual(similarities(set), similarities(unsearched));
    },
  );

  it('are not found below the threshold, nor more than are wanted', () => {
    const set = new VectorSet(2);
    for (const [id, x, y] of [
      ['east', 1, 0],
      ['northeast', 1, 1],
      ['west', -1, 0],
    ] as const)
      set.set({ id, vector: Float32Array.of(x, y) });
    const ids = (limit: number, threshold: number) =>
      set.nearest(Float32Array.of(2, 0), limit, threshold).map(({ id }) => id);
    assert.deepEqual(ids(10, 0.5), ['east', 'northeast']);
    assert.deepEqual(ids(1, -1), ['east']);
    assert.deepEqual(ids(0, -1), []);
    assert.deepEqual(set.nearest(Float32Array.of(0, 0), 10, -1), []);
    assert.deepEqual(set.nearest(Float32Array.of(Number.NaN, 1), 10, -1), []);
  });

  const vector = fc.array(fc.float({ noNaN: true }), { maxLength: 3 });

  it.prop([fc.array(fc.tuple(fc.string(), vector)), fc.integer({ min: 1, max: 4 })])(
    'are the same, in the same order, once they were sent, of whatever lengths',
    (given, most) => {
      const entries = given.map(([id, numbers]) => ({ id, vector: Float32Array.from(numbers) }));
      const rows = [...inRows(entries, most)];
      assert.ok(rows.every(({ ids }) => ids.length <= most));
      const sent = rows.flatMap((some) => fromRows(some));
      assert.deepEqual(
        sent.map((one) => [one.id, [...one.vector]]),
        entries.map((one) => [one.id, [...one.vector]]),
      );
    },
  );

  it('are kept apart by model and by length, and one of another length replaces the earlier one', () => {
    const user = new UserVectors();
    user.add(passagesOf('small'), [{ id: 'a', vector: Float32Array.of(1, 0) }]);
    user.add(passagesOf('large'), [{ id: 'b', vector: Float32Array.of(1, 0) }]);
    const ids = (model: string, ...values: number[]) =>
      user
        .nearest({ ...passagesOf(model), vector: Float32Array.from(values), limit: 10, threshold: 0.5 })
        .map(({ id }) => id);
    assert.deepEqual(ids('small', 1, 0), ['a']);
    assert.deepEqual(ids('small', 1, 0, 0), []);
    assert.deepEqual(ids('none', 1, 0), []);
    user.add(passagesOf('small'), [
      { id: 'a', vector: Float32Array.of(0, 1, 0) },
      { id: 'c', vector: new Float32Array() },
    ]);
    assert.deepEqual(ids('small', 1, 0), []);
    assert.deepEqual(ids('small', 0, 1, 0), ['a']);
    user.remove(['a', 'b', 'nobody']);
    assert.deepEqual(user.count(), { vectors: 0, bytes: 0 });
  });
});

function lengthOf(vector: Float32Array): number {
  return Math.hypot(...vector);
}

function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  one.forEach((value, index) => {
    sum += (value / lengthOf(one)) * ((other[index] ?? 0) / lengthOf(other));
  });
  return sum;
}
