import { HarkError } from '../../errors.ts';
import type { SealedSecret, WebhookEvent } from '../../events/webhooks.ts';
import { defineCommand } from '../command.ts';
import { type WebhookState, webhookState, webhookStream } from './state.ts';

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
