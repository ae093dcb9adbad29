import { HarkError } from '../../errors.ts';
import {
  type ChannelSecret,
  type ChannelTarget,
  type NotificationEvent,
  notificationsStream,
  type QuietHours,
} from '../../events/notifications.ts';
import {
  type NotificationChannel,
  notificationsState,
  type UserNotifications,
} from '../../folds/notifications/notifications.ts';
import { defineCommand } from '../command.ts';

const MOST_CHANNELS = 10;

interface AddChannel {
  readonly channelId: string;
  readonly name: string;
  readonly target: ChannelTarget;
  readonly secret?: ChannelSecret | undefined;
  readonly quietHours: QuietHours | null;
  readonly mostAnHour: number;
}

export const addChannel = defineCommand<AddChannel, UserNotifications>({
  name: 'notifications.addChannel',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide({ channels }, { secret, ...input }): NotificationEvent[] {
    if (channels.some(({ channelId }) => channelId === input.channelId)) return [];
    if (channels.length >= MOST_CHANNELS)
      throw new HarkError('CHANNELS_TOO_MANY', { message: `A user has at most ${MOST_CHANNELS}` });
    const data = { ...input, type: input.target.type, ...(secret === undefined ? {} : { secret }) };
    return [{ type: 'notification.channel.added', data }];
  },
});

interface ChangeChannel {
  readonly channelId: string;
  readonly changes: {
    readonly name?: string;
    readonly target?: ChannelTarget;
    readonly secret?: ChannelSecret;
    readonly quietHours?: QuietHours | null;
    readonly mostAnHour?: number;
    readonly enabled?: boolean;
  };
}

export const changeChannel = defineCommand<ChangeChannel, UserNotifications>({
  name: 'notifications.changeChannel',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide(state, { channelId, changes }): NotificationEvent[] {
    knownChannel(state, channelId);
    if (Object.keys(changes).length === 0) return [];
    return [{ type: 'notification.channel.changed', data: { channelId, ...changes } }];
  },
});

export const removeChannel = defineCommand<{ readonly channelId: string }, UserNotifications>({
  name: 'notifications.removeChannel',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide(state, { channelId }): NotificationEvent[] {
    knownChannel(state, channelId);
    return [{ type: 'notification.channel.removed', data: { channelId } }];
  },
});

interface RecordTest {
  readonly channelId: string;
  /** Why it did not arrive. */
  readonly reason: string | null;
}

export const recordTest = defineCommand<RecordTest, UserNotifications>({
  name: 'notifications.recordTest',
  state: notificationsState,
  scope: 'user',
  stream: (_input, userId) => notificationsStream(userId),
  decide(state, input): NotificationEvent[] {
    knownChannel(state, input.channelId);
    return [{ type: 'notification.channel.tested', data: { ...input } }];
  },
});

/** Of somebody else's channel nobody is told that there is one. */
export function knownChannel({ channels }: UserNotifications, channelId: string): NotificationChannel {
  const channel = channels.find((one) => one.channelId === channelId);
  if (!channel) throw new HarkError('CHANNEL_UNKNOWN', { body: { channelId } });
  return channel;
}
