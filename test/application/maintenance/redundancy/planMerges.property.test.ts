import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { Pace } from '../../../../src/application/maintenance/pace.ts';
import {
  type MergeCandidate,
  planMerges,
} from '../../../../src/application/maintenance/redundancy/planMerges.ts';
import { findRedundant } from '../../../../src/application/maintenance/redundancy/plannedMerges.ts';
import { findSimilar } from '../../../../src/application/maintenance/redundancy/similarSets.ts';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 1_000);
const word = fc.constantFrom(...'abcdefghijkl');
const set = fc.uniqueArray(word, { minLength: 1, maxLength: 9 });
const least = fc.constantFrom(0.3, 0.5, 0.6, 2 / 3, 0.75, 0.85, 1);

function similarity(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [new Set(one), new Set(other)];
  return a.intersection(b).size / a.union(b).size;
}

it.prop([fc.array(set, { maxLength: 25 }), least], { numRuns })(
  'finds the pairs that looking at every pair finds, and each once',
  (sets, limit) => {
    const expected = new Set<string>();
    for (const [a, one] of sets.entries())
      for (const [b, other] of sets.entries())
        if (a < b && similarity(one, other) >= limit) expected.add(`${a} ${b}`);
    const found: string[] = [];
    findSimilar(sets, limit, (a, b, by) => {
      assert.equal(by, similarity(sets[a] ?? [], sets[b] ?? []));
      found.push([a, b].sort((x, y) => x - y).join(' '));
    });
    assert.equal(found.length, expected.size);
    assert.deepEqual(new Set(found), expected);
  },
);

const candidates: fc.Arbitrary<readonly MergeCandidate[]> = fc
  .array(
    fc.record({
      text: set.map((words) => words.join(' ')),
      type: fc.constantFrom('explicit', 'inferred', 'corrected'),
      confidence: fc.constantFrom(0.3, 0.5, 0.9),
      createdAt: fc.nat(2),
    }),
    { maxLength: 25 },
  )
  .map((list) => list.map((one, index) => ({ ...one, id: `c${index}` })));

/** By ids: who goes where. */
function settled(list: readonly MergeCandidate[], limit: number): Record<string, string | undefined> {
  const merges = planMerges(list, limit);
  return Object.fromEntries(merges.map(({ loser, winner }) => [list[loser]?.id, list[winner]?.id]));
}

const shuffled = candidates.chain((list) =>
  fc.tuple(
    fc.constant(list),
    fc.shuffledSubarray([...list], { minLength: list.length, maxLength: list.length }),
  ),
);

it.prop([shuffled, least], { numRuns })(
  'settles the same in whatever order they come',
  ([list, other], limit) => {
    assert.deepEqual(settled(list, limit), settled(other, limit));
  },
);

it.prop([candidates, least, fc.nat()], { numRuns })(
  'what is left of a plan is what would be planned then',
  (list, limit, cut) => {
    const whole = planMerges(list, limit);
    const done = whole.slice(0, cut % (whole.length + 1));
    const gone = new Set(done.map(({ loser }) => list[loser]?.id));
    const rest = whole.slice(done.length);
    assert.deepEqual(
      settled(
        list.filter(({ id }) => !gone.has(id)),
        limit,
      ),
      Object.fromEntries(rest.map(({ loser, winner }) => [list[loser]?.id, list[winner]?.id])),
    );
  },
);

function believed(text: string, index: number): MergeCandidate {
  return { id: `c${index}`, text, type: 'inferred', confidence: 0.5, createdAt: index };
}

it('does not take for the same what is denied, or has another number', () => {
  const said = 'the user takes the early train to the office on every working day of the week';
  assert.equal(planMerges([said, `${said} since`].map(believed), 0.85).length, 1);
  for (const other of [`${said} not`, said.replace('takes', "doesn't take"), `${said} 7`])
    assert.deepEqual(planMerges([said, other].map(believed), 0.85), [], other);
});

it('merges thousands that are identical into the first, in a thread of its own', async () => {
  const list = Array.from({ length: 5_000 }, (_, index) => believed('The user likes tea.', index));
  const merges = await findRedundant(list, 0.85, new Pace(), new AbortController().signal);
  assert.equal(merges.length, 4_999);
  assert.ok(merges.every(({ winner, like, similarity: by }) => winner === 0 && like === 0 && by === 1));
});

it('finds the same in a thread as without one', async () => {
  const texts = Array.from({ length: 600 }, (_, index) => `${index % 7} ${index % 5} a b c d e f g h i j k`);
  const list = texts.map(believed);
  assert.deepEqual(
    await findRedundant(list, 0.85, new Pace(), new AbortController().signal),
    planMerges(list, 0.85),
  );
});
