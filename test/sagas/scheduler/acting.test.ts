import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { z } from 'zod';
import { defineActor, type Occasion, TopicActors } from '../../../src/application/topicActors.ts';
import { SettableClock } from '../../../src/clock.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { fireTask } from '../../../src/commands/scheduler/fireTask.ts';
import { HarkError, isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readSchedulerEvent } from '../../../src/events/scheduler.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { tasks } from '../../../src/projections/scheduler/tasks.ts';
import type { Schedule } from '../../../src/recurrence.ts';
import { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { actOnFired } from '../../../src/sagas/scheduler/acting.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
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
  readonly clock = new SettableClock(NOW);

  private constructor(log: Log) {
    this.log = log;
    this.views = new ProjectionRuntime(log, [tasks]);
    this.runner = new StoreCommandRunner({ store: log, clock: this.clock.read, newId: String });
    log.onAppended((events) => {
      for (const stored of events) {
        const event = readSchedulerEvent(stored);
        if (event?.type === 'schedule.run.succeeded') this.ended.add('succeeded');
        if (event?.type === 'schedule.run.failed') this.ended.add(event.data.code);
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
      scheduler: new PassingTime(),
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
    payload: Readonly<Record<string, unknown>>,
    deviceId?: string,
  ): Promise<void> {
    const task = { taskId, name: 'Tea', schedule, topic: 'tea.time', payload, deviceId };
    await this.runner.run(createTask, task, who);
  }

  async fireWhatIsDue(taskId = 'tea'): Promise<void> {
    const fired = { taskId, presentSince: 0, hasActor: this.actors.has };
    await this.runner.run(fireTask, fired, { ...who, correlationId: 'fired' });
  }
}

describe('what acts on a topic', { timeout: 20_000 }, () => {
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
    await world.create('tea', atNow, { cups: 1 }, 'lamp');
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

  test('is one for each topic', async () => {
    const world = await World.begin(async () => {});
    const other = defineActor({ topic: 'tea.time', payload: z.object({}), act: async () => {} });
    assert.throws(() => world.actors.register(other), /tea\.time/);
  });
});
