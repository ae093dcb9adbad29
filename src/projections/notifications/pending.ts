import {
  conversationErasures,
  conversationsErasedBy,
  readConversationErasure,
} from '../../events/episodes.ts';
import { memoryErased } from '../../events/memory.ts';
import { notificationEvents, readNotificationEvent } from '../../events/notifications.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';

interface Waiting {
  readonly notificationId: string;
  /** In which it was said: it goes with its words. */
  readonly conversationId?: string;
}

interface Pending {
  /** What waits for the channel. */
  waiting: Waiting[];
  /** Nothing is delivered before. */
  notBefore: number;
}

export interface PendingDeliveries {
  /** By user, and channel. */
  readonly byUser: Record<string, Record<string, Pending>>;
}

/** Channels that something waits for. */
export const pendingDeliveries = defineProjection({
  name: 'notifications.pending',
  version: 2,
  handles: [...notificationEvents, ...conversationErasures, memoryErased],
  initial: (): PendingDeliveries => ({ byUser: {} }),
  apply({ byUser }, event) {
    const userId = event.owner;
    if (event.type === memoryErased.type) {
      delete byUser[userId];
      return;
    }
    const channels = byUser[userId] ?? {};
    byUser[userId] = channels;
    const erasure = readConversationErasure(event);
    if (erasure) dropSaidIn(channels, conversationsErasedBy(erasure));
    else change(channels, event);
    for (const [channelId, { waiting }] of Object.entries(channels))
      if (waiting.length === 0) delete channels[channelId];
    if (Object.keys(channels).length === 0) delete byUser[userId];
  },
});

function change(channels: Record<string, Pending>, stored: StoredEvent): void {
  const event = readNotificationEvent(stored);
  switch (event?.type) {
    case 'notification.created':
      for (const channelId of event.data.channels) {
        const channel = channels[channelId] ?? { waiting: [], notBefore: 0 };
        channel.waiting.push(waitingOf(event.data));
        channels[channelId] = channel;
      }
      break;
    case 'notification.delivered':
    case 'notification.delivery.failed': {
      const { notificationId, channelId } = event.data;
      const channel = channels[channelId];
      if (!channel) break;
      const retryAt = event.type === 'notification.delivered' ? null : event.data.retryAt;
      channel.notBefore = retryAt ?? 0;
      if (retryAt === null) drop(channel, notificationId);
      break;
    }
    case 'notification.delivery.deferred': {
      const channel = channels[event.data.channelId];
      if (channel) channel.notBefore = event.data.until;
      break;
    }
    case 'notification.channel.tested':
    case 'notification.channel.changed': {
      const channel = channels[event.data.channelId];
      if (channel) channel.notBefore = 0;
      break;
    }
    case 'notification.channel.removed':
      delete channels[event.data.channelId];
      break;
    case 'notification.removed':
      for (const channel of Object.values(channels)) drop(channel, event.data.notificationId);
      break;
    default:
  }
}

function waitingOf({ notificationId, conversationId }: Waiting): Waiting {
  return conversationId === undefined ? { notificationId } : { notificationId, conversationId };
}

function drop(channel: Pending, notificationId: string): void {
  channel.waiting = channel.waiting.filter((one) => one.notificationId !== notificationId);
}

function dropSaidIn(channels: Record<string, Pending>, conversationIds: readonly string[]): void {
  const gone = new Set(conversationIds);
  for (const channel of Object.values(channels))
    channel.waiting = channel.waiting.filter(
      ({ conversationId }) => conversationId === undefined || !gone.has(conversationId),
    );
}
