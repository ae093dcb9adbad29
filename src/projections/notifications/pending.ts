import { memoryErased } from '../../events/memory.ts';
import { notificationEvents, readNotificationEvent } from '../../events/notifications.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { defineProjection } from '../projection.ts';

interface Pending {
  /** Ids of what waits for the channel. */
  readonly waiting: string[];
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
  version: 1,
  handles: [...notificationEvents, memoryErased],
  initial: (): PendingDeliveries => ({ byUser: {} }),
  apply({ byUser }, event) {
    const userId = event.owner;
    if (event.type === memoryErased.type) {
      delete byUser[userId];
      return;
    }
    const channels = byUser[userId] ?? {};
    byUser[userId] = channels;
    change(channels, event);
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
        const known = channels[channelId] ?? { waiting: [], notBefore: 0 };
        known.waiting.push(event.data.notificationId);
        channels[channelId] = known;
      }
      break;
    case 'notification.delivered':
    case 'notification.delivery.failed': {
      const { notificationId, channelId } = event.data;
      const known = channels[channelId];
      if (!known) break;
      const retryAt = event.type === 'notification.delivered' ? null : event.data.retryAt;
      known.notBefore = retryAt ?? 0;
      if (retryAt === null) drop(known, notificationId);
      break;
    }
    case 'notification.delivery.deferred': {
      const known = channels[event.data.channelId];
      if (known) known.notBefore = event.data.until;
      break;
    }
    case 'notification.channel.tested':
    case 'notification.channel.changed': {
      const known = channels[event.data.channelId];
      if (known) known.notBefore = 0;
      break;
    }
    case 'notification.channel.removed':
      delete channels[event.data.channelId];
      break;
    case 'notification.removed':
      for (const known of Object.values(channels)) drop(known, event.data.notificationId);
      break;
    default:
  }
}

function drop({ waiting }: Pending, notificationId: string): void {
  const index = waiting.indexOf(notificationId);
  if (index !== -1) waiting.splice(index, 1);
}
