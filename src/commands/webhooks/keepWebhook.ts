import { HarkError } from '../../errors.ts';
import { type SealedSecret, type WebhookEvent, webhookStream } from '../../events/webhooks.ts';
import { defineCommand } from '../command.ts';
import { type WebhookState, webhookState } from './state.ts';

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
