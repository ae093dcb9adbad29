import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { stateThen, webhookFailures } from '../../../src/projections/webhooks/failures.ts';
import { fold } from '../../support/given.ts';

const webhookId = 'w';
const failed = (position: number, at: number, failures = 1) => ({
  type: 'webhook.delivery.failed',
  data: { webhookId, position, failures, reason: 'HTTP_500', retryAt: at + 5 },
  at,
});
const recovered = { type: 'webhook.recovered', data: { webhookId }, at: 30 };
const paused = { type: 'webhook.paused', data: { webhookId, because: 'asked' }, at: 40 };
const resumed = { type: 'webhook.resumed', data: { webhookId }, at: 50 };

describe('what a webhook could not be told at once', () => {
  test('is kept with how often it was tried, until it arrives', () => {
    const tries = [failed(7, 10), failed(7, 20, 2)];
    const open = { position: 7, attempts: 2, at: 20, reason: 'HTTP_500', retryAt: 25, arrivedAt: null };
    assert.deepEqual(fold(webhookFailures, tries).failed, [open]);
    const over = { ...open, retryAt: null, arrivedAt: 30 };
    assert.deepEqual(fold(webhookFailures, [...tries, recovered]).failed, [over]);
    assert.deepEqual(fold(webhookFailures, [...tries, paused]).failed, [{ ...open, retryAt: null }]);
    assert.equal(fold(webhookFailures, [...tries, paused, resumed]).pausedAt, null);
  });

  test('is kept of the last hundred', () => {
    const all = Array.from({ length: 150 }, (_, index) => failed(index, index));
    const { failed: kept } = fold(webhookFailures, all);
    assert.deepEqual([kept.length, kept[0]?.position, kept.at(-1)?.position], [100, 50, 149]);
  });

  test('holds up what comes behind it, as a pause does what happens in it', () => {
    const told = (...events: Parameters<typeof fold>[1]) =>
      [6, 7, 8].map((position) => stateThen(fold(webhookFailures, events), { position, at: position * 6 }));
    assert.deepEqual(told(), ['delivered', 'delivered', 'delivered']);
    assert.deepEqual(told(failed(7, 10)), ['delivered', 'failed', 'waiting']);
    assert.deepEqual(told(failed(7, 10), recovered), ['delivered', 'delivered', 'delivered']);
    assert.deepEqual(told(paused), ['delivered', 'waiting', 'waiting']);
    assert.deepEqual(told(paused, resumed), ['delivered', 'delivered', 'delivered']);
  });
});
