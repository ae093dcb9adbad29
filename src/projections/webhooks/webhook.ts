import type { PastEvent } from '../../events/definition.ts';
import { readWebhookEvent, type WebhookEvent, webhookStream } from '../../events/webhooks.ts';
import type { UserProjection } from '../projection.ts';

/** A webhook as its user is shown it. */
export interface WebhookView {
  readonly webhookId: string;
  /** Null once it was erased. */
  readonly url: string | null;
  readonly topics: readonly string[];
  readonly status: 'active' | 'paused' | 'removed';
  /** Why it is paused. */
  readonly because: 'asked' | 'dead' | null;
  readonly createdAt: number;
  /** In a row. */
  readonly failures: number;
  readonly lastFailure: { readonly at: number; readonly reason: string } | null;
  readonly retryAt: number | null;
}

/** One webhook, by its id; null where there is none. */
export const webhook: UserProjection<WebhookView | null, [webhookId: string]> = {
  name: 'webhookView',
  version: 1,
  stream: (userId, webhookId) => webhookStream(userId, { webhookId }),
  initial: null,
  evolve(view: WebhookView | null, past: PastEvent) {
    const event = readWebhookEvent(past);
    if (event?.type === 'webhook.created') {
      const { webhookId, url, topics } = event.data;
      const healthy = { failures: 0, lastFailure: null, retryAt: null };
      return { webhookId, url, topics, ...healthy, status: 'active', because: null, createdAt: past.at };
    }
    return event && view ? evolve(view, event, past.at) : view;
  },
};

function evolve(view: WebhookView, event: WebhookEvent, at: number): WebhookView {
  switch (event.type) {
    case 'webhook.created':
      return view;
    case 'webhook.changed': {
      const { url = view.url, topics = view.topics } = event.data;
      return { ...view, url, topics, retryAt: null };
    }
    case 'webhook.delivery.failed': {
      const { failures, reason, retryAt } = event.data;
      return { ...view, failures, retryAt, lastFailure: { at, reason } };
    }
    case 'webhook.recovered':
      return { ...view, failures: 0, retryAt: null };
    case 'webhook.paused':
      return { ...view, status: 'paused', because: event.data.because, retryAt: null };
    case 'webhook.resumed':
      return { ...view, status: 'active', because: null, failures: 0, retryAt: null };
    case 'webhook.removed':
      return { ...view, status: 'removed', url: null };
  }
}
