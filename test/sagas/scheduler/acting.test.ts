import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { describe, test } from 'vitest';
import { z } from 'zod';
import {
  defineActor,
  type Occasion,
  type SaidToUser,
  TopicActors,
} from '../../../src/application/topicActors.ts';
import { SettableClock } from '../../../src/clock.ts';
import { addChannel } from '../../../src/commands/notifications/channels.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { type CreateTask, createTask } from '../../../src/commands/scheduler/createTask.ts';
import { fireTask } from '../../../src/commands/scheduler/fireTask.ts';
import { HarkError, isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { chatStream } from '../../../src/events/chat.ts';
import type { NewEvent } from '../../../src/events/definition.ts';
import { memoryStream } from '../../../src/events/memory.ts';
import { type NotificationEvent, readNotificationEvent } from '../../../src/events/notifications.ts';
import { readSchedulerEvent, taskStream } from '../../../src/events/scheduler.ts';
import { workAbandoned } from '../../../src/events/system.ts';
import { receivedAs } from '../../../src/events/turns.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { tasks } from '../../../src/projections/scheduler/tasks.ts';
import type { Schedule } from '../../../src/recurrence.ts';
import { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { actOnFired } from '../../../src/sagas/scheduler/acting.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { Append } from '../../../src/store/port.ts';
import { NOW } from '../../support/given.ts';
import { range } from '../../support/range.ts';
import { begun, PassingTime, Witness } from '../../support/sagas.ts';

const who = { userId: 'ann', correlationId: 'test' };
const atNow = { type: 'once', atTimestamp: NOW } as const;

/** A log with a scheduler that acts on `tea.time`. */
class World {
  readonly log: Log;
  readonly views: ProjectionRuntime;
  readonly runner: StoreCommandRunner;
  readonly actors = new TopicActors();
  readonly faults: unknown[] = [];
  readonly ended = new Witness<string>();
  readonly notified: NotificationEvent['data'][] = [];
  readonly clock = new SettableClock(NOW);
  readonly time = new PassingTime();

  private constructor(log: Log) {
    this.log = log;
    this.views = new ProjectionRuntime(log, [tasks]);
    this.runner = new StoreCommandRunner({ store: log, clock: this.clock.read, newId: String });
    log.onAppended((events) => {
      for (const stored of events) {
        const event = readSchedulerEvent(stored);
        if (event?.type === 'schedule.run.succeeded') this.ended.add('succeeded');
        if (event?.type === 'schedule.run.failed') this.ended.add(event.data.code);
        const told = readNotificationEvent(stored);
        if (told?.type === 'notification.created') this.notified.push(told.data);
      }
    });
  }

  static async begin(act: (cups: number, occasion: Occasion) => Promise<void>): Promise<World> {
    const world = new World(await Log.open(new MemoryAdapter(), eventCatalog));
    const payload = z.object({ cups: z.number() });
    world.actors.register(
      defineActor({
        topic: 'tea.time',
        payload,
        act: ({ cups }, occasion) => act(cups, occasion).then(() => undefined),
      }),
    );
    await begun(world.log, 'act-on-fired');
    return world;
  }

  get store(): Log {
    return this.log;
  }

  process(): SagaRuntime {
    const { log: store, runner, actors } = this;
    const onFailure = (_what: string, error: unknown) => void this.faults.push(error);
    const sagas = [actOnFired({ actors, context: () => this, onFailure })];
    const runtime = new SagaRuntime({
      store,
      runner,
      sagas,
      instanceId: 'one',
      onFailure,
      scheduler: this.time,
    });
    runtime.start();
    return runtime;
  }

  async fire(payload: Readonly<Record<string, unknown>>, taskId = 'tea'): Promise<void> {
    await this.create(taskId, atNow, payload);
    await this.fireWhatIsDue(taskId);
  }

  async create(
    taskId: string,
    schedule: Schedule,
    payload: CreateTask['payload'],
    more: Partial<CreateTask> = {},
  ): Promise<void> {
    const task = { taskId, name: 'Tea', schedule, topic: 'tea.time', payload, ...more };
    await this.runner.run(createTask, task, who);
  }

  async fireWhatIsDue(taskId = 'tea', hasActor = this.actors.has): Promise<void> {
    const fired = { taskId, presentSince: 0, hasActor };
    await this.runner.run(fireTask, fired, { ...who, correlationId: 'fired' });
  }

  async append(stream: string, event: NewEvent, more: Partial<Append> = {}): Promise<void> {
    const facts = { stream, events: [event], expected: 'any', at: NOW, causationId: null } as const;
    await this.log.append({ ...who, ...facts, ...more });
  }
}

describe('what acts on a topic', () => {
  test('is told what for, and its end is recorded', async () => {
    const told = new Witness<readonly [number, Occasion]>();
    const world = await World.begin(async (cups, occasion) => told.add([cups, occasion]));
    const process = world.process();
    await world.fire({ cups: 2 });
    assert.deepEqual(await world.ended.count(1), ['succeeded']);
    const whose = { userId: 'ann', origin: 'schedule', source: 'tea', sessionId: null };
    assert.deepEqual(
      told.items.map(([cups, { signal: _, ...occasion }]) => [cups, occasion]),
      [[2, { ...whose, id: `tea-${NOW}-1`, correlationId: 'fired', late: false }]],
    );
    await process.stop();
  });

  test('does nothing for a device, unless that is saying something', async () => {
    const told = new Witness<Occasion>();
    const world = await World.begin(async (_cups, occasion) => told.add(occasion));
    const saying = { topic: 'tea.said', speaks: true, payload: z.object({}) } as const;
    world.actors.register(defineActor({ ...saying, act: async (_, occasion) => void told.add(occasion) }));
    const process = world.process();
    await world.create('tea', atNow, { cups: 1 }, { deviceId: 'lamp' });
    await world.fireWhatIsDue();
    assert.deepEqual(await world.ended.count(1), ['DEVICE_SCOPE']);
    const task = { taskId: 'said', name: 'Tea', schedule: atNow, topic: 'tea.said', payload: {} };
    await world.runner.run(createTask, { ...task, deviceId: 'lamp' }, who);
    await world.fireWhatIsDue('said');
    assert.deepEqual(await world.ended.count(2), ['DEVICE_SCOPE', 'succeeded']);
    assert.deepEqual(
      told.items.map(({ source, deviceId }) => [source, deviceId]),
      [['said', 'lamp']],
    );
    await process.stop();
  });

  test('is asked again under the same id when its process ended before it did', async () => {
    const ids = new Witness<string>();
    const world = await World.begin(async (_cups, { id }) => {
      ids.add(id);
      // The first time it takes for ever.
      if (ids.items.length === 1) await new Promise(() => {});
    });
    const first = world.process();
    await world.fire({ cups: 1 });
    await ids.count(1);
    await first.stop();
    assert.deepEqual(world.ended.items, []);
    const second = world.process();
    assert.deepEqual(await world.ended.count(1), ['succeeded']);
    assert.deepEqual(ids.items, [`tea-${NOW}-1`, `tea-${NOW}-1`]);
    await second.stop();
    assert.deepEqual(world.faults, []);
  });

  test('is asked again under the same id when the log was away, and that is no failure', async () => {
    const ids = new Witness<string>();
    const world = await World.begin(async (_cups, { id }) => {
      ids.add(id);
      if (ids.items.length === 1) throw new HarkError('KVSTORE_UNAVAILABLE');
    });
    const process = world.process();
    await world.fire({ cups: 1 });
    assert.deepEqual(await world.ended.count(1), ['succeeded']);
    assert.deepEqual(ids.items, [`tea-${NOW}-1`, `tea-${NOW}-1`]);
    await process.stop();
  });

  test('is asked again under another id, and told that it is late, after it failed', async () => {
    const told = new Witness<readonly [string, boolean]>();
    const world = await World.begin(async (_cups, { id, late }) => {
      told.add([id, late]);
      if (told.items.length === 1) throw new HarkError('MODEL_UNAVAILABLE');
    });
    const process = world.process();
    await world.fire({ cups: 1 });
    await world.ended.count(1);
    world.clock.advance(30_000);
    await world.fireWhatIsDue();
    assert.deepEqual(await world.ended.count(2), ['MODEL_UNAVAILABLE', 'succeeded']);
    assert.deepEqual(told.items, [
      [`tea-${NOW}-1`, false],
      [`tea-${NOW}-2`, true],
    ]);
    await process.stop();
  });

  test('is not asked for what is due while it goes on, but for what is due after that', async () => {
    const ids = new Witness<string>();
    const first = Promise.withResolvers<void>();
    const world = await World.begin((_cups, { id }) => {
      ids.add(id);
      return ids.items.length === 1 ? first.promise : Promise.resolve();
    });
    const process = world.process();
    await world.create('tea', { type: 'interval', intervalMs: 60_000 }, { cups: 1 });
    const comeDue = () => {
      world.clock.advance(60_000);
      return world.fireWhatIsDue();
    };
    await comeDue();
    await ids.count(1);
    await comeDue();
    first.resolve();
    await world.ended.count(1);
    await comeDue();
    await world.ended.count(2);
    assert.deepEqual(ids.items, [`tea-${NOW + 60_000}-1`, `tea-${NOW + 180_000}-1`]);
    await process.stop();
  });

  test('of one task does not hold up that of another', async () => {
    const world = await World.begin((cups) => (cups === 1 ? new Promise(() => {}) : Promise.resolve()));
    const process = world.process();
    await world.fire({ cups: 1 }, 'slow');
    await world.fire({ cups: 2 }, 'quick');
    assert.deepEqual(await world.ended.count(1), ['succeeded']);
    await process.stop();
  });

  test('leaves nothing behind in its process that waits for the end of that', async () => {
    const listeners = new Witness<number>();
    const world = await World.begin(async (_cups, { signal }) =>
      listeners.add(getEventListeners(signal, 'abort').length),
    );
    const process = world.process();
    await world.create('tea', { type: 'interval', intervalMs: 60_000 }, { cups: 1 });
    for (const n of range(1, 11)) {
      world.clock.advance(60_000);
      await world.fireWhatIsDue();
      await world.ended.count(n);
    }
    const [first = 0] = listeners.items;
    assert.equal(listeners.items.length, 10);
    assert.ok(Math.max(...listeners.items) <= first + 2);
    await process.stop();
  });

  test('is told when its process stops, and not waited for', async () => {
    const stopped = new Witness<string>();
    const signals = new Witness<AbortSignal>();
    const world = await World.begin((_cups, { signal }) => {
      signals.add(signal);
      signal.addEventListener('abort', () => stopped.add('stopped'));
      return new Promise(() => {});
    });
    const process = world.process();
    await world.fire({ cups: 1 });
    await signals.count(1);
    await process.stop();
    assert.deepEqual(stopped.items, ['stopped']);
  });

  test('is not waited for by a process that stops as it begins', async () => {
    const over = new Witness<Promise<void>>();
    const world = await World.begin(() => {
      over.add(process.stop());
      return new Promise(() => {});
    });
    const process = world.process();
    await world.fire({ cups: 1 });
    await Promise.all(await over.count(1));
    assert.deepEqual(world.ended.items, []);
  });

  test('fails with the code of what it throws; what nobody foresaw is told of', async () => {
    for (const [thrown, code] of [
      [new HarkError('MODEL_UNAVAILABLE'), 'MODEL_UNAVAILABLE'],
      [new RangeError('too much tea'), 'INTERNAL'],
    ] as const) {
      const world = await World.begin(() => Promise.reject(thrown));
      const process = world.process();
      await world.fire({ cups: 1 });
      assert.deepEqual(await world.ended.count(1), [code]);
      assert.deepEqual(world.faults, code === 'INTERNAL' ? [thrown] : []);
      await process.stop();
    }
  });

  test('is not asked for what it was not told properly', async () => {
    const world = await World.begin(() => assert.fail());
    const process = world.process();
    await world.fire({ cups: 'many' });
    assert.deepEqual(await world.ended.count(1), ['VALIDATION_FAILED']);
    await process.stop();
    assert.throws(
      () => world.actors.check('tea.time', { cups: 'many' }),
      (error) =>
        isHarkError(error, 'VALIDATION_FAILED') && JSON.stringify(error.body).includes('"payload","cups"'),
    );
    assert.doesNotThrow(() => world.actors.check('coffee.time', { cups: 'many' }));
  });

  test('may be gone when a task fires that was made while it was there', async () => {
    const world = await World.begin(() => assert.fail());
    await world.fire({ cups: 1 });
    const actors = new TopicActors();
    const onFailure = (_what: string, error: unknown) => void world.faults.push(error);
    const sagas = [actOnFired({ actors, context: () => world, onFailure })];
    const runtime = new SagaRuntime({
      store: world.log,
      runner: world.runner,
      sagas,
      instanceId: 'two',
      onFailure,
    });
    runtime.start();
    assert.deepEqual(await world.ended.count(1), ['TOPIC_UNATTENDED']);
    await runtime.stop();
  });

  test('is told who made the task, where it was not the user', async () => {
    const told = new Witness<string>();
    const world = await World.begin(async (_cups, { origin }) => told.add(origin));
    const process = world.process();
    const notByUser = { maker: 'model', active: 0 } as const;
    await world.create('tea', atNow, { cups: 1 }, { notByUser });
    await world.fireWhatIsDue();
    await world.ended.count(1);
    assert.deepEqual(told.items, ['model']);
    await process.stop();
  });

  test('is told all of it again after a failure', async () => {
    const told = new Witness<readonly [unknown, Occasion]>();
    const world = await World.begin(() => assert.fail());
    const payload = z.object({ cups: z.number() });
    world.actors.register(
      defineActor({
        ...{ topic: 'tea.said', speaks: true, payload },
        async act(said, occasion) {
          told.add([said, occasion]);
          throw new HarkError('MODEL_UNAVAILABLE');
        },
      }),
    );
    const process = world.process();
    const whose = {
      deviceId: 'lamp',
      sessionId: 'kitchen',
      notByUser: { maker: 'workflow', active: 0 },
    } as const;
    await world.create('tea', atNow, { cups: 2 }, { topic: 'tea.said', ...whose });
    await world.fireWhatIsDue();
    await world.ended.count(1);
    world.clock.advance(30_000);
    await world.fireWhatIsDue();
    await world.ended.count(2);
    const [first, second] = told.items.map(([said, { signal: _, ...occasion }]) => ({ said, ...occasion }));
    assert.deepEqual(first?.said, { cups: 2 });
    assert.deepEqual([first.deviceId, first.sessionId, first.origin], ['lamp', 'kitchen', 'workflow']);
    assert.deepEqual(second, { ...first, id: `tea-${NOW}-2`, late: true });
    await process.stop();
  });

  test('is not asked for what fired while nobody acted on it', async () => {
    const ids = new Witness<string>();
    const world = await World.begin(async (_cups, { id }) => ids.add(id));
    const process = world.process();
    await world.create('tea', { type: 'interval', intervalMs: 60_000 }, { cups: 1 });
    world.clock.advance(60_000);
    await world.fireWhatIsDue('tea', () => false);
    world.clock.advance(60_000);
    await world.fireWhatIsDue();
    assert.deepEqual(await world.ended.count(1), ['succeeded']);
    assert.deepEqual(ids.items, [`tea-${NOW + 120_000}-1`]);
    await process.stop();
    assert.deepEqual(world.faults, []);
  });

  test('is not asked again for a task of which nothing is known', async () => {
    const ids = new Witness<string>();
    const world = await World.begin(async (_cups, { id }) => ids.add(id));
    const retried = { taskId: 'tea', occurrenceId: `tea-${NOW}`, attempt: 2 };
    await world.append(taskStream('tea'), { type: 'schedule.run.retried', data: retried });
    const process = world.process();
    await world.fire({ cups: 1 });
    assert.deepEqual(await world.ended.count(1), ['succeeded']);
    assert.deepEqual(ids.items, [`tea-${NOW}-1`]);
    await process.stop();
    assert.deepEqual(world.faults, []);
  });

  test('has its end recorded within ten tries, which take 51 seconds', async () => {
    const world = await World.begin(async () => {});
    const run = world.runner.run.bind(world.runner);
    const triedAt: number[] = [];
    world.runner.run = async (command, ...args) => {
      if (command.name === 'scheduler.endRun') {
        triedAt.push(world.time.now());
        throw new RangeError('no such page');
      }
      return run(command, ...args);
    };
    const abandoned = Promise.withResolvers<void>();
    world.log.onAppended((events) => {
      if (events.some(({ type }) => type === workAbandoned.type)) abandoned.resolve();
    });
    const process = world.process();
    await world.fire({ cups: 1 });
    await abandoned.promise;
    const [first = 0] = triedAt;
    assert.deepEqual(
      triedAt.map((at) => at - first),
      [0, 100, 300, 700, 1_500, 3_100, 6_300, 12_700, 25_500, 51_100],
    );
    await process.stop();
  });

  test('is one for each topic', async () => {
    const world = await World.begin(async () => {});
    const other = defineActor({ topic: 'tea.time', payload: z.object({}), act: async () => {} });
    assert.throws(() => world.actors.register(other), /tea\.time/);
  });
});

describe('what is said to the user because of a task', () => {
  interface Said {
    /** Nothing, where it is not given. */
    readonly said?: SaidToUser;
    readonly task?: Partial<CreateTask>;
    /** While it is said. */
    readonly meanwhile?: (world: World, turnId: string) => Promise<void>;
  }

  /** What the user was notified of after a run, which succeeded. */
  async function notified({ said, task, meanwhile }: Said): Promise<readonly NotificationEvent['data'][]> {
    const world = await World.begin(() => assert.fail());
    const speaking = { topic: 'tea.said', speaks: true, payload: z.object({}) } as const;
    const act = async (_payload: unknown, { id }: Occasion) => {
      await meanwhile?.(world, id);
      return said;
    };
    world.actors.register(defineActor({ ...speaking, act }));
    const target = { type: 'ntfy', url: 'https://ntfy.example', topic: 'tea' } as const;
    for (const channelId of ['phone', 'desk']) {
      const channel = { channelId, name: channelId, target, quietHours: null, mostAnHour: 10 };
      await world.runner.run(addChannel, channel, who);
    }
    const process = world.process();
    await world.create('tea', atNow, {}, { topic: 'tea.said', ...task });
    await world.fireWhatIsDue();
    assert.deepEqual(await world.ended.count(1), ['succeeded']);
    await process.stop();
    assert.deepEqual(world.faults, []);
    return world.notified;
  }

  const kitchen = { text: 'Tea is ready', sessionId: 'kitchen' };
  const nowhere = { text: 'Tea is ready', sessionId: null };
  const toAll = ['phone', 'desk'];
  const told = {
    ...{ notificationId: `tea-${NOW}-1`, title: 'Tea', text: 'Tea is ready', by: 'schedule', taskId: 'tea' },
    channels: toAll,
  };
  const turnOf = (turnId: string) => ({ turnId, sessionId: 'kitchen', conversationId: 'talk' });

  async function receive(world: World, turnId: string): Promise<void> {
    const turn = turnOf(turnId);
    const data = {
      ...turn,
      platform: 'schedule',
      origin: 'schedule',
      text: 'Say it',
      images: [],
      instanceId: 'one',
    };
    const received = { type: 'chat.message.received', data };
    await world.append(chatStream('ann', turn), received, { commandId: receivedAs('ann', turnId) });
  }

  test('is told under the name of the task, and where it was said', async () =>
    assert.deepEqual(await notified({ said: kitchen, meanwhile: receive }), [
      { ...told, sessionId: 'kitchen', conversationId: 'talk' },
    ]));

  test('is told by the channels of the task, and of no session where it was said in none', async () =>
    assert.deepEqual(await notified({ said: nowhere, task: { notify: ['desk'] } }), [
      { ...told, channels: ['desk'] },
    ]));

  test('is told as far as 4 000 characters go', async () => {
    for (const [length, text] of [
      [4_000, 'x'.repeat(4_000)],
      [4_001, `${'x'.repeat(4_000)}…`],
    ] as const)
      assert.deepEqual(await notified({ said: { ...nowhere, text: 'x'.repeat(length) } }), [
        { ...told, text },
      ]);
  });

  test('is not told where it is nothing', async () => assert.deepEqual(await notified({}), []));

  test('is not told where its conversation was forgotten meanwhile', async () => {
    const meanwhile = async (world: World, turnId: string) => {
      await receive(world, turnId);
      const turn = turnOf(turnId);
      await world.append(chatStream('ann', turn), { type: 'chat.turn.forgotten', data: turn });
    };
    assert.deepEqual(await notified({ said: kitchen, meanwhile }), []);
  });

  test('is not told where everything was erased meanwhile', async () => {
    const erased = { type: 'memory.erased', data: {} };
    const meanwhile = (world: World) => world.append(memoryStream('ann'), erased);
    assert.deepEqual(await notified({ said: nowhere, meanwhile }), []);
  });
});
