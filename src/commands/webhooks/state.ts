import { readWebhookEvent, type SealedSecret, type WebhookEvent } from '../../events/webhooks.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

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
