import type { PastEvent } from '../../events/definition.ts';
import { readWebhookEvent, type SealedSecret, type WebhookEvent } from '../../events/webhooks.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

export interface WebhookState {
  readonly webhookId: string;
  readonly status: 'active' | 'paused' | 'removed';
  readonly because: 'asked' | 'dead' | null;
  /** Null once it was erased. */
  readonly url: string | null;
  readonly secret: SealedSecret | null;
  readonly topics: readonly string[];
  readonly createdAt: number;
  /** In a row. */
  readonly failures: number;
  readonly lastFailure: { readonly at: number; readonly reason: string } | null;
  readonly retryAt: number | null;
}

/** One webhook; null where there is none. */
export const webhookState: StreamFold<WebhookState | null> = {
  name: 'webhook',
  version: 1,
  initial: null,
  evolve(state, past) {
    const event = readWebhookEvent(past);
    if (event?.type === 'webhook.created') return created(event.data, past);
    return event && state ? evolve(state, event, past) : state;
  },
};

function created(
  data: Extract<WebhookEvent, { type: 'webhook.created' }>['data'],
  { at }: PastEvent,
): WebhookState {
  const healthy = { failures: 0, lastFailure: null, retryAt: null };
  return { ...data, ...healthy, status: 'active', because: null, createdAt: at };
}

function evolve(state: WebhookState, event: WebhookEvent, { at }: PastEvent): WebhookState {
  switch (event.type) {
    case 'webhook.created':
      return state;
    case 'webhook.changed':
      return { ...state, ...event.data, retryAt: null };
    case 'webhook.delivery.failed': {
      const { failures, reason, retryAt } = event.data;
      return { ...state, failures, retryAt, lastFailure: { at, reason } };
    }
    case 'webhook.recovered':
      return { ...state, failures: 0, retryAt: null };
    case 'webhook.paused':
      return { ...state, status: 'paused', because: event.data.because, retryAt: null };
    case 'webhook.resumed':
      return { ...state, status: 'active', because: null, failures: 0, retryAt: null };
    case 'webhook.removed':
      return { ...state, status: 'removed', url: null, secret: null };
  }
}

/** Its user's: the same id of another user is another webhook. No id has a dot. */
export function webhookStream(userId: string, { webhookId }: { readonly webhookId: string }): string {
  return `webhook-${userId}.${webhookId}`;
}
