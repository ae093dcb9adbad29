import {
  webhookChanged,
  webhookCreated,
  webhookPaused,
  webhookRemoved,
  webhookResumed,
} from '../../events/webhooks.ts';
import { defineProjection } from '../projection.ts';

export interface KnownWebhook {
  readonly userId: string;
  readonly webhookId: string;
  /** Where in the log it begins. */
  readonly since: number;
  topics: readonly string[];
  isActive: boolean;
}

interface WebhooksState {
  readonly byStream: Record<string, KnownWebhook>;
}

/** The webhooks that there are, and what each wants to be told. */
export const webhooks = defineProjection({
  name: 'webhooks.webhooks',
  version: 1,
  handles: [webhookCreated, webhookChanged, webhookPaused, webhookResumed, webhookRemoved],
  initial: (): WebhooksState => ({ byStream: {} }),
  apply({ byStream }, { type, stream, owner: userId, position, data }) {
    const webhook = byStream[stream];
    if (type === webhookCreated.type) {
      const { webhookId, topics } = data;
      byStream[stream] = { userId, webhookId, topics, isActive: true, since: position };
    } else if (type === webhookRemoved.type) delete byStream[stream];
    else if (webhook && type === webhookChanged.type) webhook.topics = data.topics ?? webhook.topics;
    else if (webhook) webhook.isActive = type === webhookResumed.type;
  },
});
