import { LONGEST_WAIT_MS } from '../../commands/notifications/notify.ts';
import type { QuietHours } from '../../events/notifications.ts';
import {
  HOUR_MS,
  type Notification,
  type NotificationChannel,
  type UserNotifications,
  waitingFor,
} from '../../folds/notifications/notifications.ts';
import { nextAfter } from '../../recurrence.ts';

/** What there is to do for a channel. */
export type Next =
  | { readonly is: 'nothing' }
  | { readonly is: 'wait'; readonly until: number }
  | { readonly is: 'deferral'; readonly because: 'quiet-hours' | 'hourly-limit'; readonly until: number }
  /** It has waited for so long that it is of no use any more. */
  | { readonly is: 'expiry'; readonly notification: Notification }
  | { readonly is: 'delivery'; readonly channel: NotificationChannel; readonly notification: Notification };

/** `timezone`: the user's, for the hours in which they want to be left alone. */
export function nextFor(state: UserNotifications, channelId: string, now: number, timezone: string): Next {
  const channel = state.channels.find((one) => one.channelId === channelId);
  const [notification] = waitingFor(state, channelId);
  if (!channel?.enabled || !notification) return { is: 'nothing' };
  if (now > notification.at + LONGEST_WAIT_MS) return { is: 'expiry', notification };
  if (channel.notBefore !== null && channel.notBefore > now) return { is: 'wait', until: channel.notBefore };
  const quietUntil = channel.quietHours && endOfQuiet(channel.quietHours, now, timezone);
  if (quietUntil) return { is: 'deferral', because: 'quiet-hours', until: quietUntil };
  const sent = channel.sentAt.filter((at) => at > now - HOUR_MS);
  const first = sent.at(-channel.mostAnHour);
  if (first !== undefined) return { is: 'deferral', because: 'hourly-limit', until: first + HOUR_MS };
  return { is: 'delivery', channel, notification };
}

/** When they end, if they last at that moment. They may go over midnight; from a time to itself is no time. */
export function endOfQuiet({ from, to }: QuietHours, now: number, timezone: string): number | null {
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' }).format(now);
  const isQuiet = from <= to ? from <= time && time < to : time >= from || time < to;
  if (!isQuiet) return null;
  const [hour, minute] = to.split(':').map(Number);
  return nextAfter({ type: 'cron', expression: `${minute} ${hour} * * *`, timezone }, now, now);
}
