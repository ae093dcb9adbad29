import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import type { MemoryEvent } from '../../../src/events/memory.ts';
import type { Conclusion } from '../../../src/folds/memory/conclusion.ts';
import {
  applyToConclusions,
  type Conclusions,
  noConclusions,
  tendedOf,
} from '../../../src/folds/memory/conclusions.ts';
import { NOW } from '../../support/given.ts';

const ids = ['c1', 'c2', 'c3'] as const;

const drawn = (conclusionId: string, given: object = {}): MemoryEvent => ({
  type: 'memory.conclusion.drawn',
  data: {
    ...{ conclusionId, text: `What ${conclusionId} says`, type: 'explicit', confidence: 0.9, about: null },
    ...{ sources: [`of-${conclusionId}`], turnIds: [`turn-of-${conclusionId}`], by: 'offline', ...given },
  },
});
const merged = (conclusionId: string, mergedInto: string): MemoryEvent => ({
  type: 'memory.conclusion.merged',
  data: {
    ...{ sweepId: 's', conclusionId, mergedInto, similarTo: mergedInto },
    ...{ similarity: 0.9, restorableUntil: NOW + 99 },
  },
});
const restored = (conclusionId: string): MemoryEvent => ({
  type: 'memory.conclusion.restored',
  data: { conclusionId },
});
const strengthened = (conclusionId: string): MemoryEvent => ({
  type: 'memory.conclusion.strengthened',
  data: { conclusionId, confidence: 0.95, sources: ['more'], turnIds: [], saidAt: NOW + 50 },
});
const erased = (...conclusionIds: readonly string[]): MemoryEvent => ({
  type: 'memory.conclusions.erased',
  data: { conclusionIds, because: 'asked' },
});

/** Each event a moment after the one before. */
function after(...events: readonly MemoryEvent[]): Conclusions {
  const all = noConclusions();
  for (const [index, event] of events.entries()) applyToConclusions(all, event, NOW + index);
  return all;
}

/** Another memory that was told of each conclusion by itself, in this order. */
function takenOver(all: Conclusions, order: readonly string[]): Conclusions {
  return after(
    ...order.flatMap((id) => {
      const known = all.conclusions[id];
      return known ? [drawn(id, asTold(all, known))] : [];
    }),
  );
}

function asTold(all: Conclusions, known: Conclusion) {
  const { createdAt, updatedAt, lastEvidenceAt, stale, status, supersededBy, contradicts } = known;
  const tended = tendedOf(all, known);
  const times = { createdAt, updatedAt, lastEvidenceAt };
  const standing = { ...times, stale, status, supersededBy, contradicts, ...(tended ? { tended } : {}) };
  return { sources: known.sources, turnIds: known.turnIds, standing };
}

/** What each of them rests on. */
function evidence({ conclusions }: Conclusions) {
  return Object.fromEntries(
    Object.values(conclusions).map(({ id, sources, turnIds, lastEvidenceAt, status }) => [
      id,
      { sources: sources.toSorted(), turnIds: turnIds.toSorted(), lastEvidenceAt, status },
    ]),
  );
}

const order = fc.shuffledSubarray([...ids], { minLength: ids.length });
const all = ids.map((id) => drawn(id));

describe('a conclusion that another one took in', () => {
  it.prop([order, fc.subarray(['c2', 'c3'])])(
    'gives back in another memory what it gives back here, in whichever order they came there',
    (told, back) => {
      const here = after(...all, merged('c3', 'c2'), merged('c2', 'c1'), strengthened('c1'));
      const there = takenOver(here, told);
      assert.deepEqual(evidence(there), evidence(here));
      for (const memory of [here, there])
        for (const id of back) applyToConclusions(memory, restored(id), NOW + 100);
      assert.deepEqual(evidence(there), evidence(here));
    },
  );

  it('leaves with what it brought and nothing else, through all that took it on', () => {
    const memory = after(...all, merged('c3', 'c2'), merged('c2', 'c1'), strengthened('c1'), restored('c3'));
    assert.deepEqual(evidence(memory).c1?.sources, ['more', 'of-c1', 'of-c2']);
    assert.deepEqual(evidence(memory).c2?.sources, ['of-c2']);
    assert.deepEqual(evidence(memory).c3?.sources, ['of-c3']);
  });

  it.prop([order])('leaves what it brought where it was erased before it was told of', (told) => {
    const here = after(...all, merged('c2', 'c1'), erased('c2'));
    const there = takenOver(here, told);
    assert.deepEqual(evidence(there).c1?.sources, ['of-c1', 'of-c2']);
    applyToConclusions(there, restored('c2'), NOW + 100);
    assert.deepEqual(evidence(there).c1?.sources, ['of-c1', 'of-c2']);
  });

  it('gives nothing back to one that took nothing from it', () => {
    const told = { status: 'merged', supersededBy: 'c1', stale: false, contradicts: [] } as const;
    const standing = {
      ...told,
      createdAt: NOW,
      updatedAt: NOW,
      lastEvidenceAt: NOW,
      tended: { isAbsorbed: true },
    };
    const memory = after(drawn('c1'), drawn('c2', { standing }), restored('c2'));
    assert.deepEqual(evidence(memory).c1?.sources, ['of-c1']);
    assert.equal(memory.conclusions.c2?.status, 'active');
  });
});

describe('what is not there', () => {
  it('is neither strengthened, nor merged, nor restored', () => {
    const one = after(drawn('c1'));
    const none = after(
      drawn('c1'),
      strengthened('c9'),
      merged('c9', 'c1'),
      merged('c1', 'c9'),
      restored('c9'),
    );
    assert.deepEqual(none, one);
  });

  it('contradicts nothing any more', () => {
    const against: MemoryEvent = {
      type: 'memory.conclusion.contradicted',
      data: { conclusionId: 'c1', contradicts: 'c2' },
    };
    const memory = after(...all, against, against);
    assert.deepEqual(memory.conclusions.c1?.contradicts, ['c2']);
    applyToConclusions(memory, erased('c2'), NOW + 9);
    assert.deepEqual(memory.conclusions.c1?.contradicts, []);
    applyToConclusions(memory, erased('c1', 'c7'), NOW + 9);
    assert.deepEqual(Object.keys(memory.conclusions), ['c3']);
  });

  it('is told of with when it was last taken back', () => {
    const here = after(...all, merged('c2', 'c1'), restored('c2'));
    assert.equal(takenOver(here, ids).restored.c2, NOW + 4);
  });
});
