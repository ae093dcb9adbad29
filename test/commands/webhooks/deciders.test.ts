import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import {
  changeWebhook,
  createWebhook,
  recordDelivery,
  removeWebhook,
  webhookState,
} from '../../../src/commands/webhooks/webhook.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import type { WebhookEvent } from '../../../src/events/webhooks.ts';
import { fold, given, NOW } from '../../support/given.ts';

const webhookId = 'w';
const secret = { iv: 'a', tag: 'b', data: 'c' };
const data = { webhookId, url: 'https://example.com/', topics: ['a'], secret };
const created: WebhookEvent = { type: 'webhook.created', data };
const removed: WebhookEvent = { type: 'webhook.removed', data: { webhookId } };
const asked: WebhookEvent = { type: 'webhook.paused', data: { webhookId, because: 'asked' } };
const dead: WebhookEvent = { type: 'webhook.paused', data: { webhookId, because: 'dead' } };
const resumed: WebhookEvent = { type: 'webhook.resumed', data: { webhookId } };
const failed = (failures: number, retryAt: number | null): WebhookEvent => ({
  type: 'webhook.delivery.failed',
  data: { webhookId, position: 7, failures, reason: 'HTTP_500', retryAt },
});

const failure = { reason: 'HTTP_500', isGone: false, notBefore: NOW };
const went = (how: typeof failure | null) => ({ webhookId, position: 7, failure: how });

describe('a delivery', () => {
  it('that arrives is nothing to write down', () =>
    given(recordDelivery, created).when(went(null)).givesNothing());

  it('that arrives after others failed says so', () =>
    given(recordDelivery, created, failed(2, NOW)).when(went(null)).gives({
      type: 'webhook.recovered',
      data: { webhookId },
    }));

  it('that fails is tried again, not before it may be', () => {
    given(recordDelivery, created)
      .when(went(failure))
      .gives(failed(1, NOW + 5_000));
    const later = { ...failure, notBefore: NOW + 60_000 };
    given(recordDelivery, created)
      .when(went(later))
      .gives(failed(1, NOW + 60_000));
  });

  it('that fails after the webhook was let go on is counted anew', () =>
    given(recordDelivery, created, failed(11, null), dead, resumed)
      .when(went(failure))
      .gives(failed(1, NOW + 5_000)));

  it('is not waited for any longer where the webhook was changed', () => {
    const changed: WebhookEvent = { type: 'webhook.changed', data: { webhookId, topics: ['b'] } };
    assert.equal(fold(webhookState, [created, failed(1, NOW + 5_000), changed])?.retryAt, null);
  });

  it('that fails is tried again after pauses that grow, for about a day', () => {
    const past: NewEvent[] = [created];
    for (const [before, minutes] of [1 / 12, 0.5, 2, 10, 30, 60, 120, 240, 480, 480].entries()) {
      const again = failed(before + 1, NOW + minutes * 60_000);
      given(recordDelivery, ...past)
        .when(went(failure))
        .gives(again);
      past.push(again);
    }
    given(recordDelivery, ...past)
      .when(went(failure))
      .gives(failed(11, null), dead);
  });

  it('to who says to be gone pauses it at once', () =>
    given(recordDelivery, created)
      .when(went({ ...failure, isGone: true }))
      .gives(failed(1, null), dead));

  it('of a webhook that is paused, gone or unknown is nothing to write down', () => {
    given(recordDelivery, created, asked).when(went(failure)).givesNothing();
    given(recordDelivery, created, removed).when(went(failure)).givesNothing();
    given(recordDelivery).when(went(failure)).givesNothing();
  });
});

describe('a webhook', () => {
  it('is created once', () => {
    given(createWebhook).when(data).gives(created);
    given(createWebhook, created).when(data).givesNothing();
  });

  it('is changed, paused and let go on', () => {
    const changes = { topics: ['b'] };
    const changed: WebhookEvent = { type: 'webhook.changed', data: { webhookId, topics: ['b'] } };
    given(changeWebhook, created).when({ webhookId, changes }).gives(changed);
    given(changeWebhook, created).when({ webhookId, changes: {}, status: 'paused' }).gives(asked);
    given(changeWebhook, created, dead)
      .when({ webhookId, changes, status: 'active' })
      .gives(changed, resumed);
    given(changeWebhook, created).when({ webhookId, changes: {}, status: 'active' }).givesNothing();
  });

  it('that is gone or was never there is unknown', () => {
    for (const past of [[], [created, removed]]) {
      given(changeWebhook, ...past)
        .when({ webhookId, changes: {} })
        .isRefused('WEBHOOK_UNKNOWN');
      given(removeWebhook, ...past)
        .when({ webhookId })
        .isRefused('WEBHOOK_UNKNOWN');
    }
    given(removeWebhook, created).when({ webhookId }).gives(removed);
  });
});
