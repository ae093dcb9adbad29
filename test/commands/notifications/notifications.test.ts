import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { addChannel, changeChannel, removeChannel } from '../../../src/commands/notifications/channels.ts';
import { markRead, notifyUser, recordAttempt } from '../../../src/commands/notifications/notify.ts';
import type { NotificationEvent } from '../../../src/events/notifications.ts';
import { notificationsState, waitingFor } from '../../../src/folds/notifications/notifications.ts';
import { fold, given, NOW } from '../../support/given.ts';
import { range } from '../../support/range.ts';

const HOUR = 3_600_000;
const target = { type: 'webhook', url: 'https://example.com' } as const;
const settings = { name: 'Phone', target, quietHours: null, mostAnHour: 20 };

function added(channelId: string): NotificationEvent {
  return { type: 'notification.channel.added', data: { channelId, type: 'webhook', ...settings } };
}

function created(notificationId: string, channels: readonly string[], by: 'schedule' | 'tool' = 'schedule') {
  const data = { notificationId, title: 'Tea', text: 'Tea is ready', by, channels };
  return { type: 'notification.created', data } as const;
}

const off: NotificationEvent = {
  type: 'notification.channel.changed',
  data: { channelId: 'mail', enabled: false },
};

describe('a notification', () => {
  const asked = { notificationId: 'n', title: 'Tea', text: 'Tea is ready', by: 'schedule' } as const;

  test('goes to every channel that is on, or to those that are asked for and there', () => {
    const known = [added('phone'), added('mail'), off] as const;
    given(notifyUser, ...known)
      .when(asked)
      .gives(created('n', ['phone']));
    given(notifyUser, ...known)
      .when({ ...asked, channels: ['mail', 'gone'] })
      .gives(created('n', ['mail']));
    given(notifyUser, ...known)
      .when({ ...asked, channels: [] })
      .gives(created('n', []));
  });

  test('is told once', () => given(notifyUser, created('n', [])).when(asked).givesNothing());

  test('of a tool is refused when there were thirty within the hour', () => {
    const before = range(0, 30).map((n) => created(`n${n}`, [], 'tool'));
    given(notifyUser, ...before)
      .when({ ...asked, by: 'tool' })
      .isRefused('NOTIFICATIONS_TOO_MANY');
    given(notifyUser, ...before)
      .when(asked)
      .gives(created('n', []));
    given(notifyUser, ...before.map((one) => ({ ...one, at: NOW - HOUR })))
      .when({ ...asked, by: 'tool' })
      .gives(created('n', [], 'tool'));
  });

  test('is not added to a hundred that wait for a channel', () => {
    const before = range(0, 100).map((n) => created(`n${n}`, ['phone']));
    given(notifyUser, added('phone'), ...before)
      .when(asked)
      .gives(created('n', ['phone']), {
        type: 'notification.delivery.failed',
        data: {
          notificationId: 'n',
          channelId: 'phone',
          attempt: 0,
          reason: 'TOO_MANY_WAITING',
          retryAt: null,
        },
      });
  });

  test('is marked once, and only one that there is', () => {
    const read = { notificationId: 'n', read: true };
    given(markRead, created('n', [])).when(read).gives({ type: 'notification.read', data: read });
    given(markRead, created('n', []), { type: 'notification.read', data: read }).when(read).givesNothing();
    given(markRead).when(read).isRefused('NOTIFICATION_UNKNOWN');
  });

  test('that is old makes room for new ones, unless it waits for a channel', () => {
    const many = range(0, 600).map((n) => created(`n${n}`, []));
    const { notifications } = fold(notificationsState, [added('phone'), created('w', ['phone']), ...many]);
    assert.deepEqual(
      [notifications.length, notifications[0]?.notificationId, notifications[1]?.notificationId],
      [500, 'w', 'n101'],
    );
  });
});

describe('a delivery', () => {
  const tried = { notificationId: 'n', channelId: 'phone' };
  const before = [added('phone'), created('n', ['phone'])] as const;
  const failure = { reason: 'TIMEOUT', isFinal: false, notBefore: NOW };
  const failed = (attempt: number, retryAt: number | null, reason = 'TIMEOUT'): NotificationEvent => ({
    type: 'notification.delivery.failed',
    data: { ...tried, attempt, reason, retryAt },
  });

  test('is tried again after pauses that grow to an hour, and for two days', () => {
    let past: readonly (NotificationEvent & { at?: number })[] = before;
    const pauses: number[] = [];
    for (let now = NOW, attempt = 1; ; attempt++) {
      const state = fold(notificationsState, past);
      const surroundings = { now, newId: () => '' };
      const input = { ...tried, failure: { ...failure, notBefore: now } };
      const [event] = recordAttempt.decide(state, input, surroundings);
      const { retryAt } = Object(event?.data);
      past = [...past, { ...failed(attempt, retryAt), at: now }];
      if (retryAt === null) {
        assert.ok(now > NOW + 46 * HOUR);
        break;
      }
      pauses.push((retryAt - now) / 1_000);
      now = retryAt;
    }
    assert.deepEqual(pauses.slice(0, 7), [5, 30, 120, 600, 1_800, 3_600, 3_600]);
    assert.equal(waitingFor(fold(notificationsState, past), 'phone').length, 0);
  });

  test('waits as long as the server says', () =>
    given(recordAttempt, ...before)
      .when({ ...tried, failure: { ...failure, notBefore: NOW + HOUR } })
      .gives(failed(1, NOW + HOUR)));

  test('is over when it was refused, arrived, or is of what is gone', () => {
    given(recordAttempt, ...before)
      .when({ ...tried, failure: { ...failure, isFinal: true } })
      .gives(failed(1, null));
    given(recordAttempt, ...before)
      .when({ ...tried, failure: null })
      .gives({ type: 'notification.delivered', data: { ...tried, attempt: 1 } });
    given(recordAttempt, ...before, { type: 'notification.removed', data: { notificationId: 'n' } })
      .when({ ...tried, failure: null })
      .givesNothing();
    given(recordAttempt, ...before, { type: 'notification.channel.removed', data: { channelId: 'phone' } })
      .when({ ...tried, failure: null })
      .givesNothing();
  });
});

describe('channels', () => {
  test('are ten at most, and each is added once', () => {
    const input = { channelId: 'c', ...settings };
    given(addChannel).when(input).gives(added('c'));
    given(addChannel, added('c')).when(input).givesNothing();
    given(addChannel, ...range(0, 10).map((n) => added(`c${n}`)))
      .when(input)
      .isRefused('CHANNELS_TOO_MANY');
  });

  test('that there are not cannot be changed or removed', () => {
    given(changeChannel, added('c'))
      .when({ channelId: 'd', changes: { name: 'x' } })
      .isRefused('CHANNEL_UNKNOWN', { channelId: 'd' });
    given(removeChannel).when({ channelId: 'd' }).isRefused('CHANNEL_UNKNOWN', { channelId: 'd' });
  });
});
