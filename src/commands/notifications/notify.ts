import { HarkError } from '../../errors.ts';
import { type NotificationEvent, notificationsStream } from '../../events/notifications.ts';
import {
  HOUR_MS,
  type Notification,
  notificationsState,
  type UserNotifications,
  waitingFor,
} from '../../folds/notifications/notifications.ts';
import { defineCommand } from '../command.ts';
import { knownChannel } from './channels.ts';

export interface NotifyUser {
  readonly notificationId: string;
  readonly title: string;
  readonly text: string;
  readonly by: Notification['by'];
  readonly taskId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** In which it was said. */
  readonly conversationId?: string | undefined;
  /** To these; to all that are on, where it is not given. Those that there are no more are left out. */
  readonly channels?: readonly string[] | undefined;
}

/** What is beyond it stays in the list. */
const MOST_WAITING = 100;
/** Whoever calls a tool may have been talked into it. */
const MOST_BY_TOOLS_AN_HOUR = 30;

/** Tells the user something, by channels where there are any; in the list it is in any case. */
export const notifyUser = defineCommand<NotifyUser, UserNotifications>({
  name: 'notifications.notifyUser',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide(state, input, { now }): NotificationEvent[] {
    const { notificationId, title, text, by, taskId, sessionId, conversationId } = input;
    if (state.notifications.some((one) => one.notificationId === notificationId)) return [];
    if (by === 'tool') refuseTooMany(state, now);
    const channels = chosen(state, input.channels);
    const data = {
      notificationId,
      title,
      text,
      by,
      ...(taskId === undefined ? {} : { taskId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(conversationId === undefined ? {} : { conversationId }),
      channels,
    };
    const overfull = channels.filter((channelId) => waitingFor(state, channelId).length >= MOST_WAITING);
    return [
      { type: 'notification.created', data },
      ...overfull.map((channelId) =>
        failed({ notificationId, channelId, attempt: 0, reason: 'TOO_MANY_WAITING' }),
      ),
    ];
  },
});

function chosen({ channels }: UserNotifications, wanted: readonly string[] | undefined): readonly string[] {
  return channels
    .filter(({ channelId, enabled }) => (wanted ? wanted.includes(channelId) : enabled))
    .map(({ channelId }) => channelId);
}

function refuseTooMany({ notifications }: UserNotifications, now: number): void {
  const lately = notifications.filter(({ by, at }) => by === 'tool' && at > now - HOUR_MS);
  if (lately.length >= MOST_BY_TOOLS_AN_HOUR)
    throw new HarkError('NOTIFICATIONS_TOO_MANY', {
      message: `Of these, a user is sent at most ${MOST_BY_TOOLS_AN_HOUR} an hour`,
    });
}

interface Attempted {
  readonly notificationId: string;
  readonly channelId: string;
  /** Null when it was delivered. */
  readonly failure: {
    readonly reason: string;
    /** Tried again, it would fail again. */
    readonly isFinal: boolean;
    readonly notBefore: number;
  } | null;
}

const SECOND_MS = 1_000;
/** After that, each hour. */
const PAUSES_MS = [5, 30, 120, 600, 1_800].map((seconds) => seconds * SECOND_MS);
/** A server that is down for a day is waited for. */
export const LONGEST_WAIT_MS = 48 * HOUR_MS;

/** How a delivery went; what failed is tried again after a pause that grows. */
export const recordAttempt = defineCommand<Attempted, UserNotifications>({
  name: 'notifications.recordAttempt',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide(state, { notificationId, channelId, failure }, { now }): NotificationEvent[] {
    const told = waitingFor(state, channelId).find((one) => one.notificationId === notificationId);
    const delivery = told?.deliveries.find((one) => one.channelId === channelId);
    if (!told || !delivery) return [];
    const attempt = delivery.attempts + 1;
    if (!failure) return [{ type: 'notification.delivered', data: { notificationId, channelId, attempt } }];
    const { reason, isFinal, notBefore } = failure;
    const { failures } = knownChannel(state, channelId);
    const retryAt = Math.max(now + (PAUSES_MS[failures] ?? HOUR_MS), notBefore);
    const isOver = isFinal || retryAt > told.at + LONGEST_WAIT_MS;
    const data = { notificationId, channelId, attempt, reason, retryAt: isOver ? null : retryAt };
    return [{ type: 'notification.delivery.failed', data }];
  },
});

function failed(data: {
  readonly notificationId: string;
  readonly channelId: string;
  readonly attempt: number;
  readonly reason: string;
}): NotificationEvent {
  return { type: 'notification.delivery.failed', data: { ...data, retryAt: null } };
}

interface Defer {
  readonly channelId: string;
  readonly because: 'quiet-hours' | 'hourly-limit';
  readonly until: number;
}

/** Nothing is delivered by the channel before then. */
export const deferChannel = defineCommand<Defer, UserNotifications>({
  name: 'notifications.deferChannel',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide({ channels }, input): NotificationEvent[] {
    const channel = channels.find(({ channelId }) => channelId === input.channelId);
    if (!channel || channel.notBefore === input.until) return [];
    return [{ type: 'notification.delivery.deferred', data: { ...input } }];
  },
});

interface MarkRead {
  readonly notificationId: string;
  readonly read: boolean;
}

export const markRead = defineCommand<MarkRead, UserNotifications>({
  name: 'notifications.markRead',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide(state, { notificationId, read }): NotificationEvent[] {
    const notification = knownNotification(state, notificationId);
    return notification.read === read ? [] : [{ type: 'notification.read', data: { notificationId, read } }];
  },
});

export const removeNotification = defineCommand<{ readonly notificationId: string }, UserNotifications>({
  name: 'notifications.removeNotification',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide(state, { notificationId }): NotificationEvent[] {
    knownNotification(state, notificationId);
    return [{ type: 'notification.removed', data: { notificationId } }];
  },
});

function knownNotification({ notifications }: UserNotifications, notificationId: string): Notification {
  const notification = notifications.find((one) => one.notificationId === notificationId);
  if (!notification) throw new HarkError('NOTIFICATION_UNKNOWN', { body: { notificationId } });
  return notification;
}
