import assert from 'node:assert/strict';
import { test } from 'vitest';
import { recordFailure } from '../../../src/commands/providers/billing.ts';
import { initializeProvider, refreshCatalog } from '../../../src/commands/providers/catalog.ts';
import { catalogRefreshed, providerFailed, providerInitialized } from '../../../src/events/providers.ts';
import { decide, model, NOW } from './given.ts';

const providerId = 'gateway';
const failure = { providerId, kind: 'network', model: null, status: null } as const;
const failed = { type: providerFailed.type, data: { ...failure, failedAt: NOW } };
const came = { type: providerInitialized.type, data: { providerId, instanceId: 'one' } };

test('a provider comes up once in each process, and again after it failed', () => {
  const input = { providerId, instanceId: 'one' } as const;
  assert.deepEqual(decide(initializeProvider, [], input), [came]);
  assert.deepEqual(decide(initializeProvider, [came], input), []);
  assert.equal(decide(initializeProvider, [came], { ...input, instanceId: 'two' }).length, 1);
  assert.deepEqual(decide(initializeProvider, [came, failed], input), [came]);
});

test('an outage is told once a minute, another failure at once', () => {
  assert.deepEqual(decide(recordFailure, [], failure), [failed]);
  assert.deepEqual(decide(recordFailure, [failed], failure, NOW + 59_999), []);
  assert.equal(decide(recordFailure, [failed], failure, NOW + 60_000).length, 1);
  assert.equal(decide(recordFailure, [failed], { ...failure, kind: 'overload', status: 529 }).length, 1);
  assert.equal(decide(recordFailure, [failed, came], failure).length, 1);
});

test('models are in the log only when they changed', () => {
  const models = [model('a'), model('b')];
  const input = { providerId, latencyMs: 5, models } as const;
  const data = { providerId, latencyMs: 5, fetchedAt: NOW, count: 2 };
  const first = { type: catalogRefreshed.type, data: { ...data, models } };
  assert.deepEqual(decide(refreshCatalog, [], input), [first]);
  const again = { type: catalogRefreshed.type, data };
  assert.deepEqual(decide(refreshCatalog, [first], input), [again]);
  assert.deepEqual(decide(refreshCatalog, [first, again], input), [again]);
  const fewer = decide(refreshCatalog, [first, again], { ...input, models: [model('a')] });
  assert.deepEqual(fewer, [
    { type: catalogRefreshed.type, data: { ...data, count: 1, models: [model('a')] } },
  ]);
});
