import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { NewEvent } from '../../../src/events/definition.ts';
import { pendingDeliveries } from '../../../src/projections/notifications/pending.ts';
import { NOW } from '../../support/given.ts';
import { viewAfterOf } from '../../support/viewAfter.ts';

const created = (notificationId: string, ...channels: readonly string[]) => ({
  type: 'notification.created',
  data: { notificationId, title: 'Tea', text: 'Tea is ready', by: 'user', channels },
});
const delivered = (notificationId: string, channelId: string) => ({
  type: 'notification.delivered',
  data: { notificationId, channelId, attempt: 1 },
});
const failed = (notificationId: string, channelId: string, retryAt: number | null) => ({
  type: 'notification.delivery.failed',
  data: { notificationId, channelId, attempt: 1, reason: 'DOWN', retryAt },
});
const deferred = (channelId: string, until: number) => ({
  type: 'notification.delivery.deferred',
  data: { channelId, because: 'quiet-hours', until },
});
const removed = { type: 'notification.removed', data: { notificationId: 'n1' } };
const ofChannel = (what: 'removed' | 'changed', data: object = {}) => ({
  type: `notification.channel.${what}`,
  data: { channelId: 'mail', ...data },
});

const waiting = async (...events: readonly NewEvent[]) =>
  (await viewAfterOf('ann', pendingDeliveries, ...events)).byUser.ann;

describe('what waits for a channel', () => {
  it('is what was created for it and neither delivered nor given up', async () => {
    const past = [created('n1', 'mail', 'phone'), created('n2', 'mail')];
    assert.deepEqual(await waiting(...past, delivered('n1', 'mail'), failed('n1', 'phone', null)), {
      mail: { waiting: [{ notificationId: 'n2' }], notBefore: 0 },
    });
    assert.equal(
      await waiting(...past, delivered('n1', 'mail'), delivered('n1', 'phone'), delivered('n2', 'mail')),
      undefined,
    );
  });

  it('waits until the next try, or until the hours that it was put off for are over', async () => {
    assert.equal(
      (await waiting(created('n1', 'mail'), failed('n1', 'mail', NOW + 5)))?.mail?.notBefore,
      NOW + 5,
    );
    assert.equal((await waiting(created('n1', 'mail'), deferred('mail', NOW + 9)))?.mail?.notBefore, NOW + 9);
  });

  it('need not wait any longer when the channel was changed or something reached it', async () => {
    const held = [created('n1', 'mail'), created('n2', 'mail'), deferred('mail', NOW + 9)];
    for (const event of [ofChannel('changed', { enabled: true }), delivered('n1', 'mail')])
      assert.equal((await waiting(...held, event))?.mail?.notBefore, 0, event.type);
  });

  it('is nothing any more when the notification or the channel is removed', async () => {
    assert.equal(await waiting(created('n1', 'mail', 'phone'), removed), undefined);
    assert.deepEqual(
      Object.keys((await waiting(created('n1', 'mail', 'phone'), ofChannel('removed'))) ?? {}),
      ['phone'],
    );
  });

  it('is nothing of a channel for which nothing waited', async () => {
    for (const event of [
      deferred('mail', NOW),
      ofChannel('changed'),
      delivered('n1', 'mail'),
      ofChannel('removed'),
    ])
      assert.equal(await waiting(event), undefined, event.type);
    assert.deepEqual((await waiting(created('n2', 'mail'), removed))?.mail?.waiting, [
      { notificationId: 'n2' },
    ]);
  });

  it('is nothing when all of the user is erased', async () => {
    assert.equal(await waiting(created('n1', 'mail'), { type: 'memory.erased', data: {} }), undefined);
  });

  it('is nothing any more when the words of its conversation are erased', async () => {
    const said = (conversationId: string) => {
      const { type, data } = created('n1', 'mail');
      return { type, data: { ...data, conversationId } };
    };
    const episode = { episodeId: 'e1', conversationId: 'c1' };
    const erasures = [
      { type: 'memory.episodes.erased', data: { episodes: [episode] } },
      { type: 'memory.episodes.erased', data: { episodes: [], conversationIds: ['c1'] } },
      { type: 'memory.episodes.expired', data: { episodes: [episode], next: null } },
      { type: 'memory.conversations.expired', data: { conversationIds: ['c1'], upTo: 1, next: null } },
      { type: 'memory.transcript.erased', data: { conversationId: 'c1' } },
    ];
    for (const erasure of erasures) {
      assert.equal(await waiting(said('c1'), erasure), undefined, erasure.type);
      assert.equal((await waiting(said('c2'), erasure))?.mail?.waiting.length, 1, erasure.type);
      assert.equal((await waiting(created('n2', 'mail'), erasure))?.mail?.waiting.length, 1, erasure.type);
    }
  });
});
