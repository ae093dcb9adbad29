import assert from 'node:assert/strict';
import { from, lastValueFrom } from 'rxjs';
import { describe, test } from 'vitest';
import { SettableClock } from '../../src/clock.ts';
import { eraseMemory } from '../../src/commands/memory/eraseMemory.ts';
import { StoreCommandRunner } from '../../src/commands/runner.ts';
import { createTask } from '../../src/commands/scheduler/createTask.ts';
import { fireTask } from '../../src/commands/scheduler/fireTask.ts';
import { changeWebhook } from '../../src/commands/webhooks/changeWebhook.ts';
import { createWebhook } from '../../src/commands/webhooks/createWebhook.ts';
import { webhookStream } from '../../src/commands/webhooks/state.ts';
import { HarkError } from '../../src/errors.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { readWebhookEvent } from '../../src/events/webhooks.ts';
import { ProjectionRuntime } from '../../src/projections/runtime.ts';
import { webhooks } from '../../src/projections/webhooks/webhooks.ts';
import { deliverWebhooks } from '../../src/sagas/webhooks/deliverWebhooks.ts';
import type { SendMessage } from '../../src/sagas/webhooks/delivery.ts';
import { Log } from '../../src/store/log.ts';
import { NOW } from '../support/given.ts';
import { Witness } from '../support/sagas.ts';
import { WatchedAdapter } from '../support/watchedAdapter.ts';

const who = { userId: 'ann', correlationId: 'test' };
const webhookId = 'hook';
const arrived = { status: 204, retryAfter: undefined };
const gone = { status: 410, retryAfter: undefined };

interface Message {
  readonly topic: string;
  readonly task: string;
  readonly signal: AbortSignal;
}

/** A log with a webhook that is told of the tasks that are made; who delivers comes and goes. */
class World {
  readonly adapter = new WatchedAdapter();
  readonly clock = new SettableClock(NOW);
  readonly faults = new Witness<unknown>();
  readonly paused = new Witness<string>();
  readonly retries = new Witness<number | null>();
  readonly removed = new Witness<string>();
  readonly messages = new Witness<Message>();
  readonly log: Log;
  readonly #runner: StoreCommandRunner;
  readonly #views: ProjectionRuntime;

  private constructor(log: Log, adapter: WatchedAdapter) {
    this.adapter = adapter;
    this.log = log;
    this.#runner = new StoreCommandRunner({ store: log, clock: this.clock.read, newId: String });
    this.#views = new ProjectionRuntime(log, [webhooks]);
    log.onAppended((events) => {
      for (const stored of events) {
        const event = readWebhookEvent(stored);
        if (event?.type === 'webhook.paused') this.paused.add(event.data.because);
        if (event?.type === 'webhook.delivery.failed') this.retries.add(event.data.retryAt);
        if (event?.type === 'webhook.removed') this.removed.add(event.data.webhookId);
      }
    });
  }

  static async begin(topic = 'schedule.task.created'): Promise<World> {
    const adapter = new WatchedAdapter();
    const world = new World(await Log.open(adapter, eventCatalog), adapter);
    await world.#views.start();
    const secret = { iv: '', tag: '', data: '' };
    const webhook = { webhookId, url: 'https://example.com/', topics: [topic], secret };
    await world.#runner.run(createWebhook, webhook, who);
    return world;
  }

  async happen(...tasks: readonly string[]): Promise<void> {
    for (const taskId of tasks) {
      const schedule = { type: 'once', atTimestamp: NOW } as const;
      const task = { taskId, name: taskId, topic: `${taskId}.ready`, payload: null, schedule };
      await this.#runner.run(createTask, task, who);
      await this.#runner.run(fireTask, { taskId, presentSince: NOW, hasActor: () => false }, who);
    }
  }

  async change(change: { readonly topics?: readonly string[]; readonly status?: 'active' }): Promise<void> {
    const { status, ...changes } = change;
    await this.#runner.run(changeWebhook, { webhookId, changes, status }, who);
  }

  async forget(): Promise<void> {
    await this.#runner.run(eraseMemory, {}, who);
  }

  /** The process that has the lease, until the signal. */
  deliver(signal: AbortSignal, answer: (message: Message) => ReturnType<SendMessage>): Promise<unknown> {
    const { clock } = this;
    const backing = () => ({ store: this.log, runner: this.#runner, views: this.#views });
    const send: SendMessage = (_target, { body }, until) => {
      const { type: topic, data } = JSON.parse(body);
      const message = { topic, task: data.data.taskId, signal: until };
      this.messages.add(message);
      return answer(message);
    };
    const eventTypes = eventCatalog.map(({ type }) => type);
    const onFailure = (_what: string, error: unknown) => this.faults.add(error);
    const options = { backing, send, eventTypes, clock: clock.read, wake: clock.wake, onFailure };
    return lastValueFrom(from(deliverWebhooks(options).work(signal)), { defaultValue: undefined });
  }

  async told(count: number): Promise<readonly string[]> {
    return (await this.messages.count(count)).map(({ task }) => task);
  }
}

describe('a webhook', { timeout: 20_000 }, () => {
  test('is told of what happened since it was made, also when nobody delivered then', async () => {
    const world = await World.begin();
    await world.happen('early');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    assert.deepEqual(await world.told(1), ['early']);
    end.abort();
    await over;
  });

  test('is told of its topics, and of no other that events name', async () => {
    const world = await World.begin('tea.ready');
    await world.happen('coffee', 'tea');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    const [first] = await world.messages.count(1);
    assert.equal(first?.topic, 'tea.ready');
    end.abort();
    await over;
  });

  test('is told of other topics when it wants others', async () => {
    const world = await World.begin('tea.ready');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    await world.happen('tea');
    await world.messages.count(1);
    await world.change({ topics: ['coffee.ready'] });
    await world.happen('tea-again', 'coffee');
    const topics = (await world.messages.count(2)).map(({ topic }) => topic);
    assert.deepEqual(topics, ['tea.ready', 'coffee.ready']);
    end.abort();
    await over;
  });

  test('is not asked before the date that it names', async () => {
    const world = await World.begin();
    await world.happen('one');
    const end = new AbortController();
    const retryAfter = new Date(NOW + 600_000).toUTCString();
    const over = world.deliver(end.signal, async () => ({ status: 503, retryAfter }));
    assert.deepEqual(await world.retries.count(1), [NOW + 600_000]);
    end.abort();
    await over;
  });

  test('of a user of whom all was erased is removed when there would be something to tell', async () => {
    const world = await World.begin();
    await world.forget();
    await world.happen('one');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    assert.deepEqual(await world.removed.count(1), [webhookId]);
    assert.deepEqual(world.messages.items, []);
    end.abort();
    await over;
  });

  test('goes on where it stood when it was paused in the midst of what there was to tell', async () => {
    const world = await World.begin();
    await world.happen('one', 'two');
    const end = new AbortController();
    const over = world.deliver(end.signal, async ({ task }) =>
      task === 'two' && world.paused.items.length === 0 ? gone : arrived,
    );
    assert.deepEqual(await world.paused.count(1), ['dead']);
    await world.change({ status: 'active' });
    await world.happen('three');
    assert.deepEqual(await world.told(4), ['one', 'two', 'two', 'three']);
    end.abort();
    await over;
  });

  test('is not told again of what arrived when another process goes on', async () => {
    const world = await World.begin();
    await world.happen('one', 'two');
    const end = new AbortController();
    const answer = Promise.withResolvers<typeof arrived>();
    const over = world.deliver(end.signal, async ({ task }) => (task === 'one' ? arrived : answer.promise));
    await world.told(2);
    end.abort();
    answer.resolve(arrived);
    await over;
    const next = new AbortController();
    const nextOver = world.deliver(next.signal, async () => arrived);
    // Whether the second arrived, nobody heard.
    assert.deepEqual(await world.told(3), ['one', 'two', 'two']);
    next.abort();
    await nextOver;
  });

  test('is left to whoever delivers to it as well', async () => {
    const world = await World.begin();
    await world.happen('one', 'two');
    const end = new AbortController();
    const stopped = Promise.withResolvers<typeof arrived>();
    const over = world.deliver(end.signal, ({ task, signal }) => {
      signal.addEventListener('abort', () => stopped.resolve(arrived));
      return task === 'one' ? Promise.resolve(arrived) : stopped.promise;
    });
    await world.told(2);
    const cursor = webhookStream(who.userId, { webhookId });
    await world.log.moveCursor(cursor, await world.log.readCursor(cursor), await world.log.head());
    await stopped.promise;
    end.abort();
    await over;
  });

  test('is told on after a fault, which is told of, and after the log was away, which is not', async () => {
    const world = await World.begin();
    const fault = new RangeError('no such cursor');
    const errors = [fault, new HarkError('KVSTORE_UNAVAILABLE')];
    world.adapter.before = (name) => {
      const error = name === 'moveCursor' ? errors.shift() : undefined;
      if (error) throw error;
    };
    await world.happen('one');
    const end = new AbortController();
    const over = world.deliver(end.signal, async () => arrived);
    assert.deepEqual(await world.told(1), ['one']);
    assert.deepEqual(world.faults.items, [fault]);
    end.abort();
    await over;
  });
});

describe('who delivers webhooks', { timeout: 20_000 }, () => {
  test('ends at once when the lease was lost before it began', async () => {
    const world = await World.begin();
    await world.happen('one');
    await world.deliver(AbortSignal.abort(), async () => arrived);
    assert.deepEqual(world.messages.items, []);
  });

  test('is over when the last message is, and not before', async () => {
    const world = await World.begin();
    await world.happen('one');
    const end = new AbortController();
    const answer = Promise.withResolvers<typeof arrived>();
    const ends: string[] = [];
    const over = world.deliver(end.signal, () => answer.promise).then(() => ends.push('delivery'));
    await world.told(1);
    end.abort();
    setImmediate(() => {
      ends.push('message');
      answer.resolve(arrived);
    });
    await over;
    assert.deepEqual(ends, ['message', 'delivery']);
  });
});
