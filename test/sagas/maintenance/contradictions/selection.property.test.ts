import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { gistOf } from '../../../../src/commands/memory/findings.ts';
import { Selection } from '../../../../src/sagas/maintenance/contradictions/candidates/selection.ts';

const subjects = ['The user', 'The user', 'A sister'];
const verbs = ['likes', 'does not like', 'hates', 'has 2', 'has three', 'lives in', 'no longer lives in'];
const objects = ['cats', 'Oslo', 'tea', 'red cars', 'cats in Oslo', ''];
const text = fc.oneof(
  fc
    .tuple(fc.constantFrom(...subjects), fc.constantFrom(...verbs), fc.constantFrom(...objects))
    .map((words) => words.join(' ')),
  fc.string({ maxLength: 20 }),
);
const number = fc.oneof(fc.float(), fc.constantFrom(0, 1, -1));
const vector = fc.option(
  fc
    .oneof(fc.array(number, { minLength: 3, maxLength: 3 }), fc.array(number, { maxLength: 5 }))
    .map((numbers) => Float32Array.from(numbers)),
);
const statement = fc.record({ text, topic: fc.option(fc.constantFrom('home', 'food')), vector });
const settled = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 5 });

async function select(
  statements: readonly { text: string; topic: string | null; vector: Float32Array | null }[],
  most: number,
  pairs: readonly (readonly [number, number])[],
) {
  const selection = new Selection();
  // In two parts, as they may come.
  for (const some of [statements.slice(0, 3), statements.slice(3)])
    selection.add({
      kind: 'add',
      texts: some.map((one) => one.text),
      topics: some.map((one) => one.topic),
      values: some.map(() => null),
      negated: some.map(() => null),
      lengths: some.map(({ vector }) => vector?.length ?? 0),
      vectors: Float32Array.from(some.flatMap(({ vector }) => [...(vector ?? [])])),
    });
  return selection.select({ nearest: 5, most, settled: pairs }, new AbortController().signal);
}

describe('the selection of pairs', () => {
  it.prop([fc.array(statement, { maxLength: 14 }), fc.nat(12), settled], {
    numRuns: Number(process.env.PROPERTY_RUNS ?? 1_000),
  })(
    'gives each pair once, of two that are there and say something else, none that is settled, the best first',
    async (all, most, pairs) => {
      const known = pairs.filter(([one, other]) => one < all.length && other < all.length);
      const found = await select(all, most, known);
      assert.ok(found.length <= most);
      assert.equal(new Set(found.map(({ one, other }) => `${one} ${other}`)).size, found.length);
      for (const { one, other, score, similarity } of found) {
        assert.ok(one < other && other < all.length);
        assert.ok(Number.isFinite(score) && similarity >= -1.001 && similarity <= 1.001);
        assert.notEqual(gistOf(all[one]?.text ?? ''), gistOf(all[other]?.text ?? ''));
        assert.ok(!known.some(([a, b]) => Math.min(a, b) === one && Math.max(a, b) === other));
      }
      const scores = found.map(({ score }) => score);
      assert.deepEqual(
        scores,
        scores.toSorted((one, other) => other - one),
      );
      const everything = await select(all, 1_000, known);
      assert.deepEqual(everything.slice(0, most), found, 'less is the beginning of more');
    },
  );
});
