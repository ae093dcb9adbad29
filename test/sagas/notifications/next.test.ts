import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { NotificationEvent } from '../../../src/events/notifications.ts';
import { notificationsState } from '../../../src/folds/notifications/notifications.ts';
import { endOfQuiet, nextFor } from '../../../src/sagas/notifications/next.ts';
import { fold } from '../../support/given.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (text: string) => Date.parse(text);

describe('quiet hours', () => {
  const night = { from: '22:00', to: '07:00' };
  for (const [now, zone, end] of [
    ['2026-01-10T21:59:00Z', 'UTC', null],
    ['2026-01-10T22:00:00Z', 'UTC', '2026-01-11T07:00:00Z'],
    ['2026-01-11T03:00:00Z', 'UTC', '2026-01-11T07:00:00Z'],
    ['2026-01-11T07:00:00Z', 'UTC', null],
    ['2026-01-10T22:30:00Z', 'America/New_York', null],
    ['2026-01-10T21:30:00Z', 'Europe/Berlin', '2026-01-11T06:00:00Z'],
    // The clock is put forward in that night.
    ['2026-03-28T22:00:00Z', 'Europe/Berlin', '2026-03-29T05:00:00Z'],
  ] as const)
    it(`at ${now} in ${zone}: ${end ?? 'not'}`, () =>
      assert.equal(endOfQuiet(night, at(now), zone), end && at(end)));

  it('may lie within a day, and from a time to itself there are none', () => {
    const noon = at('2026-01-10T12:30:00Z');
    assert.equal(endOfQuiet({ from: '12:00', to: '13:00' }, noon, 'UTC'), at('2026-01-10T13:00:00Z'));
    assert.equal(endOfQuiet({ from: '12:30', to: '12:30' }, noon, 'UTC'), null);
  });
});

describe('what is next for a channel', () => {
  const now = at('2026-01-10T12:00:00Z');
  const channelId = 'phone';
  const added = (rest: object = {}): NotificationEvent & { at: number } => ({
    type: 'notification.channel.added',
    at: now - 50 * HOUR,
    data: {
      channelId,
      type: 'webhook',
      name: 'Phone',
      target: { type: 'webhook', url: 'https://example.com' },
      quietHours: null,
      mostAnHour: 2,
      ...rest,
    },
  });
  const created = (notificationId: string, since = now) => ({
    type: 'notification.created',
    at: since,
    data: { notificationId, title: 'Tea', text: 'Tea is ready', by: 'schedule', channels: [channelId] },
  });
  const delivered = (notificationId: string, since: number) => ({
    type: 'notification.delivered',
    at: since,
    data: { notificationId, channelId, attempt: 1 },
  });
  const next = (...events: Parameters<typeof fold>[1]) => {
    const found = nextFor(fold(notificationsState, events), channelId, now, 'UTC');
    return found.is === 'delivery' || found.is === 'expiry'
      ? [found.is, found.notification.notificationId]
      : Object.values(found);
  };

  it('is nothing where nothing waits, and the oldest where something does', () => {
    assert.deepEqual(next(added()), ['nothing']);
    assert.deepEqual(next(added(), created('a'), created('b')), ['delivery', 'a']);
    assert.deepEqual(next(added(), created('a'), delivered('a', now), created('b')), ['delivery', 'b']);
  });

  it('waits after a failure, until the channel is changed', () => {
    const failed = {
      type: 'notification.delivery.failed',
      data: { notificationId: 'a', channelId, attempt: 1, reason: 'TIMEOUT', retryAt: now + 5_000 },
    };
    assert.deepEqual(next(added(), created('a'), failed, created('b')), ['wait', now + 5_000]);
    const changed = { type: 'notification.channel.changed', data: { channelId, mostAnHour: 9 } };
    assert.deepEqual(next(added(), created('a'), failed, changed), ['delivery', 'a']);
  });

  it('is put off in quiet hours', () => {
    const quiet = added({ quietHours: { from: '11:00', to: '13:00' } });
    assert.deepEqual(next(quiet, created('a')), ['deferral', 'quiet-hours', now + HOUR]);
  });

  it('is put off when there was as much within an hour as there may be', () => {
    const once = [created('a', now - 90 * MINUTE), delivered('a', now - 90 * MINUTE)];
    const twice = [...once, created('b', now - 40 * MINUTE), delivered('b', now - 40 * MINUTE)];
    const thrice = [...twice, created('c', now - MINUTE), delivered('c', now - MINUTE)];
    assert.deepEqual(next(added(), ...twice, created('d')), ['delivery', 'd']);
    assert.deepEqual(next(added(), ...thrice, created('d')), ['deferral', 'hourly-limit', now + 20 * MINUTE]);
  });

  it('is nothing while the channel is off, and nothing that waited for two days', () => {
    const off = { type: 'notification.channel.changed', data: { channelId, enabled: false } };
    assert.deepEqual(next(added(), created('a'), off), ['nothing']);
    assert.deepEqual(next(added(), created('a', now - 48 * HOUR - 1)), ['expiry', 'a']);
  });

  it('is nothing of what was erased', () => {
    const erased = { ...created('a'), data: { ...created('a').data, title: null, text: null } };
    assert.deepEqual(next(added(), erased, created('b')), ['delivery', 'b']);
  });
});
