import type { SealedSecret, WebhookEvent } from '../../events/webhooks.ts';
import { defineCommand } from '../command.ts';
import { type WebhookState, webhookState, webhookStream } from './state.ts';

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
