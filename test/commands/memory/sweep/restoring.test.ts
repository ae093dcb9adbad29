import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { userMemory } from '../../../../src/commands/memory/state.ts';
import { mergeRedundant } from '../../../../src/commands/memory/sweep/mergeRedundant.ts';
import { restoreConclusions } from '../../../../src/commands/memory/userChanges.ts';
import { entryOf } from '../../../../src/entryOf.ts';
import { begun, DAY_MS, Swept, USER, usual } from '../../../sagas/maintenance/sweeping.ts';
import { fold, given, NOW } from '../../../support/given.ts';
import { isSlow } from '../../../support/processorTime.ts';
import { aConclusion } from '../sample.ts';

const SAID = 'The user likes long walks by the old river in spring with both dogs';
const context = { userId: USER, correlationId: 'test' };

const merged = (conclusionId: string, mergedInto: string) => ({
  type: 'memory.conclusion.merged',
  data: {
    sweepId: 's',
    conclusionId,
    mergedInto,
    similarTo: mergedInto,
    similarity: 1,
    restorableUntil: NOW + DAY_MS,
  },
});
const restored = (conclusionId: string) => ({ type: 'memory.conclusion.restored', data: { conclusionId } });

const sourcesIn = (events: Parameters<typeof fold>[1]) => {
  const { conclusions } = fold(userMemory, events);
  return Object.fromEntries(Object.values(conclusions).map(({ id, sources }) => [id, sources.toSorted()]));
};

describe('what was merged', () => {
  const three = ['a', 'b', 'c'].map((id) => aConclusion(id, { sources: [`of ${id}`, 'of all'] }));
  const inTurn = [...three, merged('a', 'b'), merged('b', 'c')];

  it('takes what it brought along out of all that took it in turn', () => {
    assert.deepEqual(sourcesIn(inTurn), {
      a: ['of a', 'of all'],
      b: ['of a', 'of all', 'of b'],
      c: ['of a', 'of all', 'of b', 'of c'],
    });
    assert.deepEqual(sourcesIn([...inTurn, restored('a')]), {
      a: ['of a', 'of all'],
      b: ['of all', 'of b'],
      c: ['of all', 'of b', 'of c'],
    });
  });

  it('takes along what it had taken itself, when only that is taken back', () => {
    assert.deepEqual(sourcesIn([...inTurn, restored('b')]), {
      a: ['of a', 'of all'],
      b: ['of a', 'of all', 'of b'],
      c: ['of all', 'of c'],
    });
  });

  it('is as it was when all of it is taken back, in whatever order', () => {
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const)
      assert.deepEqual(sourcesIn([...inTurn, ...order.map(restored)]), sourcesIn(three));
  });

  it('leaves evidence that came later with whom it was found for', () => {
    const found = {
      conclusionId: 'b',
      confidence: 0.95,
      sources: ['of b', 'of all', 'of a', 'new'],
      turnIds: [],
    };
    const later = { type: 'memory.conclusion.strengthened', data: found };
    const events = [...three, merged('a', 'b'), later, restored('a')];
    assert.deepEqual(sourcesIn(events).b, ['new', 'of all', 'of b']);
  });

  it('and taken back is not merged again before it is stale again', async () => {
    const swept = await Swept.of([
      aConclusion('a', { text: SAID, sources: ['e1'] }),
      aConclusion('b', { text: `${SAID} outside`, sources: ['e2'] }),
    ]);
    assert.equal((await swept.sweep()).summary.redundant, 1);
    swept.now += DAY_MS;
    await swept.runner.run(restoreConclusions, { conclusionIds: ['b'] }, context);
    swept.now += DAY_MS;
    assert.equal((await swept.sweep()).summary.redundant, 0);
    swept.now += 90 * DAY_MS;
    assert.equal((await swept.sweep()).summary.redundant, 1);
  });

  it('and taken back after the merge was planned stays', () => {
    const [a, b] = [aConclusion('a'), aConclusion('b')];
    const merges = [{ conclusionId: 'b', mergedInto: 'a', similarTo: 'a', similarity: 1 }];
    const { sweepId: _id, restorableUntil: _until, ...merge } = merged('b', 'a').data;
    const data = { sweepId: 's', ...merge, restorableUntil: NOW + usual.retentionDays * DAY_MS };
    given(mergeRedundant, a, b, begun)
      .when({ sweepId: 's', merges })
      .gives({ type: 'memory.conclusion.merged', data });
    for (const taken of ['a', 'b']) {
      const pruned = {
        type: 'memory.conclusion.pruned',
        data: { sweepId: 'r', conclusionId: taken, confidence: 0.1, limit: 0.3, restorableUntil: NOW + 1 },
      };
      given(mergeRedundant, a, b, pruned, restored(taken), begun)
        .when({ sweepId: 's', merges })
        .givesNothing();
    }
  });

  it('by the thousands is merged in no more time than it takes to look at each', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `c${index}`);
    const drawn = many.map((id) => aConclusion(id, { sources: [`of ${id}`] }));
    const into = many.slice(1).map((id) => merged(id, 'c0'));
    const all = [...drawn, ...into];
    assert.equal(fold(userMemory, all).conclusions.c0?.sources.length, many.length);
    // Looked through for each of the others, it would be half a minute.
    assert.ok(!isSlow(() => fold(userMemory, all), 5_000));
  });
});

it('a conclusion may have the name of anything that every object has', async () => {
  const age = { createdAt: 0, updatedAt: 0, lastEvidenceAt: NOW - 100 * DAY_MS };
  const standing = { ...age, stale: false, status: 'active', supersededBy: null, contradicts: [] };
  const swept = await Swept.of([
    aConclusion('constructor', { text: SAID, standing, confidence: 1 }),
    aConclusion('toString', { text: `${SAID} outside`, standing }),
  ]);
  const { summary } = await swept.sweep();
  assert.deepEqual([summary.stale, summary.decayed, summary.redundant], [2, 2, 1]);
  await swept.runner.run(restoreConclusions, { conclusionIds: ['toString'] }, context);
  assert.equal(entryOf((await swept.memory()).conclusions, 'toString')?.status, 'active');
});
