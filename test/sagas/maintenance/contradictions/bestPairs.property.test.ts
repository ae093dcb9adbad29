import assert from 'node:assert/strict';
import { fc, it } from '@fast-check/vitest';
import { BestPairs } from '../../../../src/sagas/maintenance/contradictions/candidates/bestPairs.ts';
import type { CandidatePair } from '../../../../src/sagas/maintenance/contradictions/candidates/messages.ts';
import { Random } from '../../../support/random.ts';

it.prop([fc.nat(), fc.nat(30), fc.integer({ min: 1, max: 12_000 })], {
  numRuns: Number(process.env.PROPERTY_RUNS ?? 100),
})('of however many pairs the best are kept, each once and with its best score', (seed, most, offers) => {
  const random = new Random(seed);
  const kept = new BestPairs(most);
  const all = new Map<number, CandidatePair>();
  for (let offer = 0; offer < offers; offer++) {
    const [one, other] = [random.whole(0, 100), 100 + random.whole(0, 100)];
    const key = one * 200 + other;
    const pair = { one, other, similarity: 0, score: 1 + random.whole(0, 500), signs: [] };
    kept.offer(key, pair);
    if (pair.score > (all.get(key)?.score ?? 0)) all.set(key, pair);
  }
  const inOrder = [...all.values()].sort((a, b) => b.score - a.score || a.one - b.one || a.other - b.other);
  assert.deepEqual(kept.inOrder(), inOrder.slice(0, most));
});

it('where all are equal, they are sorted now and then, and not for each that comes', {
  timeout: 20_000,
}, () => {
  const kept = new BestPairs(500);
  for (let one = 0; one < 60_000; one++)
    kept.offer(one, { one, other: one + 1, similarity: 0, score: 1, signs: [] });
  assert.deepEqual(
    kept.inOrder().map(({ one }) => one),
    Array.from({ length: 500 }, (_, index) => index),
  );
});
