import type { PastEvent } from '../../events/definition.ts';
import {
  type ChannelSecret,
  type ChannelTarget,
  type NotificationEvent,
  notificationsStream,
  type QuietHours,
  readNotificationEvent,
} from '../../events/notifications.ts';
import type { ChannelType } from '../../vocabulary.ts';

export interface NotificationChannel {
  readonly channelId: string;
  readonly type: ChannelType;
  readonly name: string | null;
  readonly target: ChannelTarget | null;
  readonly secret: ChannelSecret | null;
  readonly quietHours: QuietHours | null;
  readonly mostAnHour: number;
  readonly enabled: boolean;
  readonly createdAt: number;
  /** In a row. */
  readonly failures: number;
  readonly lastFailure: { readonly at: number; readonly reason: string } | null;
  /** Nothing is delivered before: after a failure, in quiet hours, or when there was too much of it. */
  readonly notBefore: number | null;
  /** Of the last hour, when something was delivered. */
  readonly sentAt: readonly number[];
}

interface Delivery {
  readonly channelId: string;
  readonly state: 'waiting' | 'delivered' | 'failed';
  readonly attempts: number;
  /** Why it failed the last time. */
  readonly reason: string | null;
  readonly at: number;
}

export interface Notification {
  readonly notificationId: string;
  readonly at: number;
  readonly by: 'schedule' | 'user' | 'tool';
  readonly title: string | null;
  readonly text: string | null;
  readonly taskId: string | null;
  readonly sessionId: string | null;
  readonly read: boolean;
  readonly deliveries: readonly Delivery[];
}

/** What a user has been told, and by which channels they are told; nothing of what was erased. */
export interface UserNotifications {
  readonly channels: readonly NotificationChannel[];
  /** The newest, oldest first, and what is older and waits for a channel. */
  readonly notifications: readonly Notification[];
}

const MOST_KEPT = 500;
export const HOUR_MS = 3_600_000;

const nothing: UserNotifications = { channels: [], notifications: [] };

/** Decided on and shown alike: held once. */
export const notificationsState = {
  name: 'notifications',
  version: 1,
  stream: notificationsStream,
  initial: nothing,
  evolve(state: UserNotifications, past: PastEvent): UserNotifications {
    const event = readNotificationEvent(past);
    return event ? evolve(state, event, past.at) : state;
  },
};

/** What waits for a channel, in its order. */
export function waitingFor({ notifications }: UserNotifications, channelId: string): readonly Notification[] {
  return notifications.filter(({ deliveries }) =>
    deliveries.some((one) => one.channelId === channelId && one.state === 'waiting'),
  );
}

function evolve(state: UserNotifications, event: NotificationEvent, at: number): UserNotifications {
  switch (event.type) {
    case 'notification.channel.added': {
      const { secret = null, ...given } = event.data;
      if (given.target === null) return state;
      const healthy = { failures: 0, lastFailure: null, notBefore: null, sentAt: [] };
      const added = { ...given, secret, enabled: true, createdAt: at, ...healthy };
      return { ...state, channels: [...state.channels, added] };
    }
    case 'notification.channel.changed': {
      const { channelId, ...changes } = event.data;
      return changeChannel(state, channelId, (known) => ({
        ...known,
        ...changes,
        failures: 0,
        notBefore: null,
      }));
    }
    case 'notification.channel.removed':
      return withoutChannel(state, event.data.channelId, at);
    case 'notification.channel.tested': {
      const { channelId, reason } = event.data;
      const went = reason === null ? { failures: 0 } : { lastFailure: { at, reason } };
      return changeChannel(state, channelId, (known) => ({ ...known, ...went, notBefore: null }));
    }
    case 'notification.created': {
      const { channels, conversationId: _, taskId = null, sessionId = null, ...said } = event.data;
      if (said.text === null) return state;
      const waiting = { state: 'waiting', attempts: 0, reason: null, at } as const;
      const deliveries = channels.map((channelId) => ({ channelId, ...waiting }));
      const told = { ...said, taskId, sessionId, at, read: false, deliveries };
      return { ...state, notifications: newest([...state.notifications, told]) };
    }
    case 'notification.delivered': {
      const { notificationId, channelId, attempt: attempts } = event.data;
      const now = { state: 'delivered', attempts, reason: null, at } as const;
      const delivered = changeDelivery(state, notificationId, channelId, now);
      return changeChannel(delivered, channelId, (known) => ({
        ...known,
        failures: 0,
        notBefore: null,
        sentAt: [...known.sentAt.filter((sent) => sent > at - HOUR_MS), at],
      }));
    }
    case 'notification.delivery.failed': {
      const { notificationId, channelId, attempt: attempts, reason, retryAt } = event.data;
      const now = { state: retryAt === null ? 'failed' : 'waiting', attempts, reason, at } as const;
      const failed = changeDelivery(state, notificationId, channelId, now);
      return changeChannel(failed, channelId, (known) => ({
        ...known,
        failures: known.failures + 1,
        lastFailure: { at, reason },
        notBefore: retryAt,
      }));
    }
    case 'notification.delivery.deferred': {
      const { channelId, until } = event.data;
      return changeChannel(state, channelId, (known) => ({ ...known, notBefore: until }));
    }
    case 'notification.read': {
      const { notificationId, read } = event.data;
      return changeNotification(state, notificationId, (known) => ({ ...known, read }));
    }
    case 'notification.removed': {
      const { notificationId } = event.data;
      const notifications = state.notifications.filter((one) => one.notificationId !== notificationId);
      return { ...state, notifications };
    }
  }
}

function newest(notifications: readonly Notification[]): readonly Notification[] {
  if (notifications.length <= MOST_KEPT) return notifications;
  const dropped = notifications.findIndex(({ deliveries }) =>
    deliveries.every(({ state }) => state !== 'waiting'),
  );
  return notifications.filter((_, index) => index !== dropped);
}

/** What waited for it will not come. */
function withoutChannel(state: UserNotifications, channelId: string, at: number): UserNotifications {
  const gone = { state: 'failed', reason: 'CHANNEL_REMOVED', at } as const;
  const settled = (one: Delivery): Delivery =>
    one.channelId === channelId && one.state === 'waiting' ? { ...one, ...gone } : one;
  return {
    channels: state.channels.filter((one) => one.channelId !== channelId),
    notifications: state.notifications.map((one) =>
      one.deliveries.some((each) => settled(each) !== each)
        ? { ...one, deliveries: one.deliveries.map(settled) }
        : one,
    ),
  };
}

function changeChannel(
  state: UserNotifications,
  channelId: string,
  change: (known: NotificationChannel) => NotificationChannel,
): UserNotifications {
  const channels = state.channels.map((one) => (one.channelId === channelId ? change(one) : one));
  return { ...state, channels };
}

function changeNotification(
  state: UserNotifications,
  notificationId: string,
  change: (known: Notification) => Notification,
): UserNotifications {
  const changed = (one: Notification) => (one.notificationId === notificationId ? change(one) : one);
  return { ...state, notifications: state.notifications.map(changed) };
}

function changeDelivery(
  state: UserNotifications,
  notificationId: string,
  channelId: string,
  now: Omit<Delivery, 'channelId'>,
): UserNotifications {
  const changed = (one: Delivery) => (one.channelId === channelId ? { channelId, ...now } : one);
  return changeNotification(state, notificationId, (known) => ({
    ...known,
    deliveries: known.deliveries.map(changed),
  }));
}
