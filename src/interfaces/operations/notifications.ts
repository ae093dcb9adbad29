import { z } from 'zod';
import { knownChannel } from '../../commands/notifications/channels.ts';
import { markRead, notifyUser, removeNotification } from '../../commands/notifications/notify.ts';
import { HarkError } from '../../errors.ts';
import type { Notification } from '../../folds/notifications/notifications.ts';
import { lazily } from '../../lazily.ts';
import { notifications, notificationsOf } from '../../projections/notifications/notifications.ts';
import type { Kvstore, ServiceContext } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id, moment } from '../operation.ts';
import { storable } from './chatShapes.ts';

const area = 'notifications';
const path = '/api/notifications';
const invalidId = 'Invalid notification ID format';
const errors = ['NOTIFICATION_UNKNOWN', 'KVSTORE_UNAVAILABLE'] as const;
const USUAL_TITLE = 'hark';

const notification = lazily(() =>
  z.object({
    id: z.string(),
    at: z.int(),
    title: z.string(),
    text: z.string(),
    taskId: z.string().exactOptional().describe('The scheduled task that told it'),
    sessionId: z.string().exactOptional().describe('The conversation in which it was said as well'),
    read: z.boolean(),
    deliveries: z.array(
      z.object({
        channelId: z.string(),
        state: z.enum(['waiting', 'delivered', 'failed']),
        attempts: z.int(),
        at: z.int(),
        reason: z.string().exactOptional().describe('Why it failed the last time'),
      }),
    ),
  }),
);
const oneNotification = lazily(() => z.object({ notification: notification() }));

/** What a user was told by itself: reminders, answers to scheduled prompts, and what a tool sent them. */
export function notificationOperations(kvstore: Kvstore): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'notifications.list',
      area,
      device: 'always',
      summary: 'The notifications of the user, newest first',
      description:
        'Reminders, answers to scheduled prompts, and what `notify.send` sent. The newest 500 are kept. ' +
        '`GET /api/events/stream?topics=notification.*` tells of each as it comes.',
      rest: { method: 'GET', path },
      input: () =>
        z.object({
          unread: z
            .enum(['true', 'false'])
            .optional()
            .describe('Only those that were not read, or that were'),
          at: moment(),
        }),
      output: () => z.object({ notifications: z.array(notification()), count: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { unread: 'true' } },
      async run({ unread, at }, { userId }) {
        const state = await notificationsOf(kvstore.reachable(), userId, at);
        const isWanted = ({ read }: Notification) => unread === undefined || read === (unread === 'false');
        const told = state.notifications.filter(isWanted).map(toWire).reverse();
        return { notifications: told, count: told.length };
      },
    }),
    defineOperation({
      name: 'notifications.send',
      area,
      device: 'always',
      summary: 'Notifies the user, by all of their channels or by one',
      rest: { method: 'POST', path, status: 201 },
      input: () =>
        z.object({
          text: z
            .string()
            .max(4_000)
            .transform(storable)
            .refine((text) => text.trim() !== '', 'must not be empty'),
          title: z.string().trim().min(1).max(200).transform(storable).optional(),
          channelId: id().optional().describe('By this channel alone'),
        }),
      output: oneNotification,
      errors: ['CHANNEL_UNKNOWN', 'NOTIFICATIONS_TOO_MANY', 'KVSTORE_UNAVAILABLE', 'STORAGE_FULL'],
      example: { input: { text: 'The washing machine is done' } },
      tool: {
        name: 'notify.send',
        description:
          'Sends the user, and nobody else, a message now: to their phone or mail where they have set that ' +
          'up, and to their list of notifications. For later, use schedule.create.',
        category: 'notifications',
        hints: {
          phrases:
            'notify, notification, push, send me, text me, message me, mail me, email me, to my phone, on my phone, ' +
            'benachrichtige, schick mir, aufs Handy, envoie moi, envíame, notifícame',
        },
        annotations: { title: 'Notify', readOnlyHint: false, destructiveHint: false, openWorldHint: true },
        needsKvstore: 'KVSTORE_UNAVAILABLE',
        resultSchema: () => z.object({ notificationId: z.string(), channels: z.int() }),
        result: ({ notification: { id: notificationId, deliveries } }) => ({
          notificationId,
          channels: deliveries.length,
        }),
      },
      async run({ text, title = USUAL_TITLE, channelId }, caller) {
        const context = kvstore.connected();
        const state = await context.views.of(notifications, caller.userId);
        if (channelId !== undefined) knownChannel(state, channelId);
        const notificationId = newIdFor(caller);
        const channels = channelId === undefined ? undefined : [channelId];
        const { sessionId, turn } = caller.tool ?? {};
        // Said in a conversation, it is forgotten with that.
        const where = { sessionId: sessionId ?? undefined, conversationId: turn?.conversationId };
        const by = caller.tool ? 'tool' : 'user';
        await context.runner.run(notifyUser, { notificationId, title, text, by, channels, ...where }, caller);
        return { notification: await shown(context, caller, notificationId) };
      },
    }),
    defineOperation({
      name: 'notifications.change',
      area,
      device: 'always',
      summary: 'Marks a notification as read, or as not read',
      rest: { method: 'PUT', path: `${path}/:id`, invalidId },
      input: () => z.object({ id: id(), read: z.boolean() }),
      output: oneNotification,
      errors,
      example: { input: { id: 'unknown', read: true } },
      async run({ id: notificationId, read }, caller) {
        const context = kvstore.connected();
        await context.runner.run(markRead, { notificationId, read }, caller);
        return { notification: await shown(context, caller, notificationId) };
      },
    }),
    defineOperation({
      name: 'notifications.remove',
      area,
      device: 'never',
      summary: 'Erases a notification; what waited to be delivered is not delivered',
      description: 'What was also said in a conversation stays there.',
      rest: { method: 'DELETE', path: `${path}/:id`, invalidId },
      input: () => z.object({ id: id() }),
      output: () => z.object({ success: z.literal(true), notificationId: z.string() }),
      errors,
      example: { input: { id: 'unknown' } },
      async run({ id: notificationId }, caller) {
        await kvstore.connected().runner.run(removeNotification, { notificationId }, caller);
        return { success: true as const, notificationId };
      },
    }),
  ];
}

async function shown({ views }: ServiceContext, { userId }: Caller, notificationId: string) {
  const state = await views.of(notifications, userId);
  const notification = state.notifications.find((one) => one.notificationId === notificationId);
  if (!notification) throw new HarkError('NOTIFICATION_UNKNOWN', { body: { notificationId } });
  return toWire(notification);
}

function toWire({
  notificationId: id,
  at,
  title,
  text,
  taskId,
  sessionId,
  read,
  deliveries,
}: Notification): z.output<ReturnType<typeof notification>> {
  return {
    id,
    at,
    title: title ?? '',
    text: text ?? '',
    ...(taskId === null ? {} : { taskId }),
    ...(sessionId === null ? {} : { sessionId }),
    read,
    deliveries: deliveries.map(({ reason, ...delivery }) => ({
      ...delivery,
      ...(reason === null ? {} : { reason }),
    })),
  };
}
