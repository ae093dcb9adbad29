import { HarkError } from '../../errors.ts';
import {
  readWebhookEvent,
  type SealedSecret,
  type WebhookEvent,
  webhookStream,
} from '../../events/webhooks.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import { defineCommand } from '../command.ts';

/** Where a webhook stands: whether its messages may be sent, where to, and how it went so far. */
export interface WebhookState {
  readonly status: 'active' | 'paused' | 'removed';
  /** Null once it was erased. */
  readonly url: string | null;
  readonly secret: SealedSecret | null;
  /** In a row. */
  readonly failures: number;
  readonly retryAt: number | null;
}

/** One webhook; null where there is none. */
export const webhookState: StreamFold<WebhookState | null> = {
  name: 'webhook',
  version: 2,
  initial: null,
  evolve(state, past) {
    const event = readWebhookEvent(past);
    if (event?.type === 'webhook.created') {
      const { url, secret } = event.data;
      return { url, secret, status: 'active', failures: 0, retryAt: null };
    }
    return event && state ? evolve(state, event) : state;
  },
};

function evolve(state: WebhookState, event: WebhookEvent): WebhookState {
  switch (event.type) {
    case 'webhook.created':
      return state;
    case 'webhook.changed': {
      const { url = state.url, secret = state.secret } = event.data;
      return { ...state, url, secret, retryAt: null };
    }
    case 'webhook.delivery.failed': {
      const { failures, retryAt } = event.data;
      return { ...state, failures, retryAt };
    }
    case 'webhook.recovered':
      return { ...state, failures: 0, retryAt: null };
    case 'webhook.paused':
      return { ...state, status: 'paused', retryAt: null };
    case 'webhook.resumed':
      return { ...state, status: 'active', failures: 0, retryAt: null };
    case 'webhook.removed':
      return { ...state, status: 'removed', url: null, secret: null };
  }
}

interface CreateWebhook {
  readonly webhookId: string;
  readonly url: string;
  readonly topics: readonly string[];
  readonly secret: SealedSecret;
}

export const createWebhook = defineCommand<CreateWebhook, WebhookState | null>({
  name: 'webhooks.createWebhook',
  state: webhookState,
  scope: 'user',
  stream: (input, userId) => webhookStream(userId, input),
  decide: (state, input): WebhookEvent[] => (state ? [] : [{ type: 'webhook.created', data: { ...input } }]),
});

interface ChangeWebhook {
  readonly webhookId: string;
  readonly changes: {
    readonly url?: string;
    readonly topics?: readonly string[];
    readonly secret?: SealedSecret;
  };
  readonly status?: 'active' | 'paused' | undefined;
}

export const changeWebhook = defineCommand<ChangeWebhook, WebhookState | null>({
  name: 'webhooks.changeWebhook',
  state: webhookState,
  scope: 'user',
  stream: (input, userId) => webhookStream(userId, input),
  decide(state, { webhookId, changes, status }): WebhookEvent[] {
    if (!state || state.status === 'removed') throw new HarkError('WEBHOOK_UNKNOWN', { body: { webhookId } });
    const events: WebhookEvent[] = [];
    if (Object.keys(changes).length > 0)
      events.push({ type: 'webhook.changed', data: { webhookId, ...changes } });
    if (status === 'paused' && state.status === 'active')
      events.push({ type: 'webhook.paused', data: { webhookId, because: 'asked' } });
    if (status === 'active' && state.status === 'paused')
      events.push({ type: 'webhook.resumed', data: { webhookId } });
    return events;
  },
});

export const removeWebhook = defineCommand<{ readonly webhookId: string }, WebhookState | null>({
  name: 'webhooks.removeWebhook',
  state: webhookState,
  scope: 'user',
  stream: (input, userId) => webhookStream(userId, input),
  decide(state, { webhookId }): WebhookEvent[] {
    if (!state || state.status === 'removed') throw new HarkError('WEBHOOK_UNKNOWN', { body: { webhookId } });
    return [{ type: 'webhook.removed', data: { webhookId } }];
  },
});

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
