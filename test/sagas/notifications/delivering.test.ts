import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'vitest';
import { SettableClock, type Wake } from '../../../src/clock.ts';
import { notifyUser } from '../../../src/commands/notifications/notify.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readNotificationEvent } from '../../../src/events/notifications.ts';
import type { Sent } from '../../../src/gateways/notifications/message.ts';
import { pendingDeliveries } from '../../../src/projections/notifications/pending.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { ClockScheduler } from '../../../src/sagas/clockScheduler.ts';
import { deliverNotifications } from '../../../src/sagas/notifications/delivering.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { runtimeOn, Witness } from '../../support/sagas.ts';

const BEGIN = Date.parse('2026-01-10T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const who = { userId: 'ann', correlationId: 'test' };

/** One user with a phone, and whoever takes what is sent there. */
class World {
  readonly clock = new SettableClock(BEGIN);
  readonly log: Log;
  readonly views: ProjectionRuntime;
  readonly runner: StoreCommandRunner;
  /** What came to the phone. */
  readonly sent = new Witness<string>();
  /** What the log has of each delivery. */
  readonly told = new Witness<string>();
  readonly waits = new Witness<number>();
  answer: Sent = 'delivered';

  private constructor(log: Log, views: ProjectionRuntime) {
    this.log = log;
    this.views = views;
    this.runner = new StoreCommandRunner({ store: log, clock: this.clock.read, newId: String });
    log.onAppended((events) => {
      for (const stored of events) {
        const event = readNotificationEvent(stored);
        if (event?.type === 'notification.delivered') this.told.add('delivered');
        if (event?.type === 'notification.delivery.failed')
          this.told.add(`${event.data.reason} ${event.data.retryAt === null ? 'for good' : 'for now'}`);
        if (event?.type === 'notification.delivery.deferred') this.told.add(event.data.because);
      }
    });
  }

  static async begin(channel: object = {}): Promise<World> {
    const log = await Log.open(new MemoryAdapter(), eventCatalog);
    const views = new ProjectionRuntime(log, [pendingDeliveries]);
    await views.start();
    const world = new World(log, views);
    const target = { type: 'webhook', url: 'https://example.com' };
    const data = {
      channelId: 'phone',
      type: 'webhook',
      name: 'Phone',
      target,
      quietHours: null,
      mostAnHour: 9,
    };
    await world.append('channel.added', { ...data, ...channel });
    return world;
  }

  start(test: TestContext): void {
    const { log: store, runner, clock, views } = this;
    const saga = deliverNotifications({
      context: () => ({ store, runner, pending: () => views.view(pendingDeliveries) }),
      deliver: async (_channel, { notificationId }) => {
        this.sent.add(notificationId);
        return this.answer;
      },
      clock: clock.read,
      habitsOf: async () => ({ timezone: 'UTC', locale: 'en' }),
    });
    const wake: Wake = (at, callback) => {
      this.waits.add(at);
      return clock.wake(at, callback);
    };
    const onFailure = (_saga: string, error: unknown) => assert.fail(String(error));
    const time = new ClockScheduler({ clock: clock.read, wake });
    const runtime = runtimeOn(this.log, saga, { runner, onFailure, time });
    runtime.start();
    test.onTestFinished(() => runtime.stop());
  }

  async append(what: string, data: object): Promise<void> {
    const events = [{ type: `notification.${what}`, data }];
    const place = { stream: 'notifications-ann', expected: 'any', causationId: null } as const;
    await this.log.append({ ...who, ...place, at: this.clock.read(), events });
  }

  async tell(...ids: readonly string[]): Promise<void> {
    for (const notificationId of ids) {
      const notification = { notificationId, title: 'Tea', text: 'Tea is ready', by: 'user' } as const;
      await this.runner.run(notifyUser, notification, who);
    }
  }

  /** To this moment, once that is waited for. */
  async comeTo(at: number): Promise<void> {
    await this.waits.until((items) => items.includes(at));
    this.clock.advance(at - this.clock.read());
  }
}

describe('what a user is told', () => {
  it('is delivered when it comes, one after the other, and what waited before there was anybody to deliver it', async (test) => {
    const world = await World.begin();
    await world.tell('n1', 'n2');
    world.start(test);
    await world.told.count(2);
    await world.tell('n3');
    assert.deepEqual(await world.told.count(3), ['delivered', 'delivered', 'delivered']);
    assert.deepEqual(world.sent.items, ['n1', 'n2', 'n3']);
  });

  it('is sent again after a failure: in five seconds, or when the channel said', async (test) => {
    const world = await World.begin();
    world.answer = { failed: 'DOWN', isFinal: false };
    world.start(test);
    await world.tell('n1');
    await world.told.count(1);
    world.answer = { failed: 'BUSY', isFinal: false, retryAfterMs: 10 * MINUTE };
    await world.comeTo(BEGIN + 5_000);
    await world.told.count(2);
    world.answer = 'delivered';
    await world.comeTo(BEGIN + 5_000 + 10 * MINUTE);
    assert.deepEqual(await world.told.count(3), ['DOWN for now', 'BUSY for now', 'delivered']);
  });

  it('goes on with the next when one would be refused again', async (test) => {
    const world = await World.begin();
    world.answer = { failed: 'TOO_LARGE', isFinal: true };
    await world.tell('n1', 'n2');
    world.start(test);
    assert.deepEqual(await world.told.count(2), ['TOO_LARGE for good', 'TOO_LARGE for good']);
    assert.deepEqual(world.sent.items, ['n1', 'n2']);
  });

  it('waits while the user wants to be left alone', async (test) => {
    const world = await World.begin({ quietHours: { from: '11:00', to: '14:00' } });
    world.start(test);
    await world.tell('n1');
    await world.told.count(1);
    assert.deepEqual(world.sent.items, []);
    await world.comeTo(BEGIN + 2 * HOUR);
    assert.deepEqual(await world.told.count(2), ['quiet-hours', 'delivered']);
  });

  it('is delivered at once when the hours are changed, or something reached the channel', async (test) => {
    for (const [what, data] of [
      ['channel.changed', { channelId: 'phone', quietHours: null }],
      ['channel.changed', { channelId: 'phone', quietHours: { from: '01:00', to: '02:00' } }],
    ] as const) {
      const world = await World.begin({ quietHours: { from: '11:00', to: '14:00' } });
      world.start(test);
      await world.tell('n1');
      await world.told.count(1);
      await world.append(what, data);
      assert.deepEqual(await world.told.count(2), ['quiet-hours', 'delivered']);
    }
  });

  it('is given up where it has waited for two days', async (test) => {
    const world = await World.begin();
    await world.tell('n1');
    world.clock.advance(49 * HOUR);
    world.start(test);
    assert.deepEqual(await world.told.count(1), ['EXPIRED for good']);
    assert.deepEqual(world.sent.items, []);
  });
});
