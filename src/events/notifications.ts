import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { channelTypes } from '../vocabulary.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';
import { conversationSubject } from './turns.ts';

/*
 * What a user is told although they ask for nothing at the moment, and the channels by which it reaches them.
 *
 *   created ─► for each of its channels: (delivery.failed…, deferred…) ─► delivered, or failed for good
 *      └─► read, removed
 *
 *   channel.added ─► changed…, tested… ─► removed
 */

const channelId = lazily(() => z.string());
const ofChannel = ({ channelId }: { channelId: string }) => `channel-${channelId}`;

/** Where a channel leads. What services name an address by may be as good as a password. */
const target = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ntfy'), url: z.string(), topic: z.string() }),
    z.object({
      type: z.literal('email'),
      host: z.string(),
      port: z.number(),
      /** TLS from the first byte; else by STARTTLS. */
      secure: z.boolean(),
      from: z.string(),
      to: z.string(),
      user: z.string().exactOptional(),
    }),
    z.object({ type: z.literal('telegram'), chatId: z.string(), apiUrl: z.string().exactOptional() }),
    z.object({ type: z.literal('webhook'), url: z.string() }),
  ]),
);
export type ChannelTarget = z.output<ReturnType<typeof target>>;

/** Encrypted under the secret of the machine: what opens a channel is not read in the log. */
const sealedSecret = lazily(() => z.object({ iv: z.string(), tag: z.string(), data: z.string() }));
export type ChannelSecret = z.output<ReturnType<typeof sealedSecret>>;

/** Of each day, in the user's zone: nothing is delivered from the one time to the other. */
const quietHours = lazily(() => z.object({ from: z.string(), to: z.string() }));
export type QuietHours = z.output<ReturnType<typeof quietHours>>;

const channel = lazily(() => ({
  name: personal(z.string()),
  target: personal(target()),
  quietHours: quietHours().nullable(),
  mostAnHour: z.number(),
}));

const channelAdded = defineEvent('notification.channel.added', {
  data: () =>
    z.object({
      channelId: channelId(),
      type: z.enum(channelTypes),
      ...channel(),
      secret: personal(sealedSecret()).exactOptional(),
    }),
  subject: ofChannel,
});

const channelChanged = defineEvent('notification.channel.changed', {
  data: () =>
    z.object({
      channelId: channelId(),
      name: channel().name.exactOptional(),
      target: channel().target.exactOptional(),
      secret: personal(sealedSecret()).exactOptional(),
      quietHours: channel().quietHours.exactOptional(),
      mostAnHour: channel().mostAnHour.exactOptional(),
      enabled: z.boolean().exactOptional(),
    }),
  subject: ofChannel,
});

const channelRemoved = defineEvent('notification.channel.removed', {
  data: () => z.object({ channelId: channelId() }),
  forgets: (data) => [ofChannel(data)],
});

const reason = lazily(() => z.string().regex(/^[A-Z0-9_]+$/));

/** Somebody wanted to know whether it works. */
const channelTested = defineEvent('notification.channel.tested', {
  data: () => z.object({ channelId: channelId(), reason: reason().nullable() }),
});

const notificationId = lazily(() => z.string());

const notificationCreated = defineEvent('notification.created', {
  data: () =>
    z.object({
      notificationId: notificationId(),
      title: personal(z.string()),
      text: personal(z.string()),
      /** What had it told: a task at its time, the user, or a tool that somebody called. */
      by: z.enum(['schedule', 'user', 'tool']),
      taskId: z.string().exactOptional(),
      sessionId: z.string().exactOptional(),
      /** In which it was said: it is forgotten with that. */
      conversationId: z.string().exactOptional(),
      /** By which it is to reach the user. */
      channels: z.array(channelId()).readonly(),
    }),
  subject: ({ notificationId, conversationId }) =>
    conversationId === undefined ? ofNotification(notificationId) : conversationSubject(conversationId),
});

function ofNotification(notificationId: string): string {
  return `notification-${notificationId}`;
}

const delivery = lazily(() => ({ notificationId: notificationId(), channelId: channelId() }));

const notificationDelivered = defineEvent('notification.delivered', {
  data: () => z.object({ ...delivery(), attempt: z.int() }),
});

export const deliveryFailed = defineEvent('notification.delivery.failed', {
  data: () =>
    z.object({
      ...delivery(),
      attempt: z.int(),
      reason: reason(),
      /** Null when it is not tried again. */
      retryAt: z.number().nullable(),
    }),
});

/** Whatever waits for the channel waits until then. */
const deliveryDeferred = defineEvent('notification.delivery.deferred', {
  data: () =>
    z.object({ channelId: channelId(), because: z.enum(['quiet-hours', 'hourly-limit']), until: z.number() }),
});

const notificationRead = defineEvent('notification.read', {
  data: () => z.object({ notificationId: notificationId(), read: z.boolean() }),
});

const notificationRemoved = defineEvent('notification.removed', {
  data: () => z.object({ notificationId: notificationId() }),
  forgets: ({ notificationId }) => [ofNotification(notificationId)],
});

/** A user's channels, and what they are told, in its order. */
export function notificationsStream(userId: string): string {
  return `notifications-${userId}`;
}

export const notificationEvents = [
  channelAdded,
  channelChanged,
  channelRemoved,
  channelTested,
  notificationCreated,
  notificationDelivered,
  deliveryFailed,
  deliveryDeferred,
  notificationRead,
  notificationRemoved,
] as const;

export type NotificationEvent = EventOf<(typeof notificationEvents)[number]>;

/** An event of this area as what it is; undefined for one of another. */
export const readNotificationEvent = readerOf(notificationEvents);
