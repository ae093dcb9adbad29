import { HarkError } from '../../errors.ts';
import type { WebhookEvent } from '../../events/webhooks.ts';
import { defineCommand } from '../command.ts';
import { type WebhookState, webhookState, webhookStream } from './state.ts';

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
