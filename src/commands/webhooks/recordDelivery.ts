import { type WebhookEvent, webhookStream } from '../../events/webhooks.ts';
import { defineCommand } from '../command.ts';
import { type WebhookState, webhookState } from './state.ts';

interface RecordDelivery {
  readonly webhookId: string;
  readonly position: number;
  /** Null when it was delivered. */
  readonly failure: { readonly reason: string; readonly isGone: boolean; readonly notBefore: number } | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** About a day, after which it is dead. */
const PAUSES_MS = [
  5_000,
  30_000,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  8 * HOUR_MS,
];

/** How a delivery went: when it is tried again, and when it is not. */
export const recordDelivery = defineCommand<RecordDelivery, WebhookState | null>({
  name: 'webhooks.recordDelivery',
  state: webhookState,
  scope: 'user',
  stream: (input, userId) => webhookStream(userId, input),
  decide(state, { webhookId, position, failure }, { now }): WebhookEvent[] {
    if (state?.status !== 'active') return [];
    if (!failure) return state.failures > 0 ? [{ type: 'webhook.recovered', data: { webhookId } }] : [];
    const pause = failure.isGone ? undefined : PAUSES_MS[state.failures];
    const retryAt = pause === undefined ? null : Math.max(now + pause, failure.notBefore);
    const failures = state.failures + 1;
    const failed: WebhookEvent = {
      type: 'webhook.delivery.failed',
      data: { webhookId, position, failures, reason: failure.reason, retryAt },
    };
    return retryAt === null
      ? [failed, { type: 'webhook.paused', data: { webhookId, because: 'dead' } }]
      : [failed];
  },
});
