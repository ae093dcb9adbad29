import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { exhaustBilling, restoreBilling } from '../../../src/commands/providers/billing.ts';
import { billingExhausted, billingRestored } from '../../../src/events/providers.ts';
import { decide, NOW } from './given.ts';

const providerId = 'cloud-a';

function exhausted(credential: string, model: string | null, exhaustedAt = NOW) {
  return { type: billingExhausted.type, data: { providerId, credential, model, exhaustedAt, probed: false } };
}

describe('credit that is used up', () => {
  const input = { providerId, credential: 'key-1', model: null } as const;

  test('is recorded once', () => {
    assert.deepEqual(decide(exhaustBilling, [], input), [exhausted('key-1', null)]);
    assert.deepEqual(decide(exhaustBilling, [exhausted('key-1', null)], input), []);
  });

  test('is told again by a try a minute later, and by none before', () => {
    const told = (ms: number) => decide(exhaustBilling, [exhausted('key-1', null)], input, NOW + ms).length;
    assert.deepEqual([59_999, 60_000].map(told), [0, 1]);
  });

  test('found unchanged by a later try says when that was', () => {
    const later = NOW + 600_000;
    assert.deepEqual(decide(exhaustBilling, [exhausted('key-1', null)], input, later), [
      { ...exhausted('key-1', null, later), data: { ...input, exhaustedAt: later, probed: true } },
    ]);
  });

  test('is that of one key and one model', () => {
    const known = [exhausted('key-1', 'm')];
    assert.equal(decide(exhaustBilling, known, input).length, 1);
    assert.equal(decide(exhaustBilling, known, { ...input, model: 'n' }).length, 1);
    assert.equal(decide(exhaustBilling, known, { ...input, model: 'm' }).length, 0);
    assert.equal(decide(exhaustBilling, known, { ...input, credential: 'key-2', model: 'm' }).length, 1);
  });
});

describe('credit that is there again', () => {
  const known = [exhausted('key-1', null), exhausted('key-1', 'm'), exhausted('key-2', null)];
  const restored = (credential: string, model: string | null, by: string) => ({
    type: billingRestored.type,
    data: { providerId, credential, model, by },
  });

  test('after a retry is that of every key and model', () => {
    const events = decide(restoreBilling, known, { providerId, by: 'retry' });
    assert.deepEqual(events, [
      restored('key-1', null, 'retry'),
      restored('key-1', 'm', 'retry'),
      restored('key-2', null, 'retry'),
    ]);
    assert.deepEqual(decide(restoreBilling, [...known, ...events], { providerId, by: 'retry' }), []);
  });

  test('after an answer is that of the key and model that answered', () => {
    const input = { providerId, by: 'probe' } as const;
    const of = (credential: string, model: string) =>
      decide(restoreBilling, known, { ...input, answered: { credential, model } });
    assert.deepEqual(of('key-1', 'm'), [restored('key-1', null, 'probe'), restored('key-1', 'm', 'probe')]);
    assert.deepEqual(of('key-1', 'n'), [restored('key-1', null, 'probe')]);
    assert.deepEqual(of('key-3', 'm'), []);
  });
});
