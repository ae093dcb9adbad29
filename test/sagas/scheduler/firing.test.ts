import assert from 'node:assert/strict';
import { describe, test, vi } from 'vitest';
import { SettableClock, type Wake } from '../../../src/clock.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { cancelTask, changeStatus } from '../../../src/commands/scheduler/changeStatus.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { HarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { memoryErased } from '../../../src/events/memory.ts';
import { readSchedulerEvent } from '../../../src/events/scheduler.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { tasks } from '../../../src/projections/scheduler/tasks.ts';
import { ClockScheduler } from '../../../src/sagas/clockScheduler.ts';
import type { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { fireTasks } from '../../../src/sagas/scheduler/firing.ts';
import { Log } from '../../../src/store/log.ts';
import { range } from '../../support/range.ts';
import { runtimeOn, Witness } from '../../support/sagas.ts';
import { WatchedAdapter } from '../../support/watchedAdapter.ts';

const BEGIN = 1_700_000_000_000;
const DUE_IN_MS = 20_000;
/** By then they are read. */
const AHEAD_MS = 1_000;
const who = { userId: 'ann', correlationId: 'test' };

const MINUTE = 60_000;

/** Tasks that are all due at the same moment. */
function together(...taskIds: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(taskIds.map((taskId) => [taskId, DUE_IN_MS]));
}

/** Whatever else would be begun in this moment has had its turn. */
async function turns(): Promise<void> {
  for (let each = 0; each < 10; each++) await new Promise(setImmediate);
}

/** A process that has just started, with tasks of an earlier one. */
class World {
  readonly clock: SettableClock;
  readonly adapter: WatchedAdapter;
  readonly reads = new Witness<unknown>();
  readonly fired = new Witness<string>();
  readonly late = new Witness<boolean>();
  readonly cancelled = new Witness<string>();
  readonly replanned = new Witness<number | null>();
  readonly faults = new Witness<unknown>();
  /** Whether the log is there. */
  isHere = true;
  readonly #waits = new Witness<number>();
  readonly runner: StoreCommandRunner;
  readonly log: Log;
  readonly #firing: SagaRuntime;

  private constructor(log: Log, views: ProjectionRuntime, clock: SettableClock, adapter: WatchedAdapter) {
    this.log = log;
    this.clock = clock;
    this.adapter = adapter;
    this.runner = new StoreCommandRunner({ store: log, clock: clock.read, newId: String });
    log.onAppended((events) => {
      for (const stored of events) {
        const event = readSchedulerEvent(stored);
        if (event?.type === 'schedule.task.fired') {
          this.fired.add(event.data.taskId);
          this.late.add(event.data.late);
        }
        if (event?.type === 'schedule.task.replanned') this.replanned.add(event.data.nextRunAt);
        if (event?.type === 'schedule.task.cancelled') this.cancelled.add(event.data.because);
      }
    });
    const context = { store: log, runner: this.runner, views };
    const onFailure = (_what: string, error: unknown) => this.faults.add(error);
    const firing = fireTasks({
      context: () => (this.isHere ? context : undefined),
      hasActor: () => false,
      onFailure,
    });
    const wake: Wake = (at, callback) => {
      this.#waits.add(at);
      return clock.wake(at, callback);
    };
    this.#firing = runtimeOn(log, firing, {
      onFailure,
      time: new ClockScheduler({ clock: clock.read, wake }),
    });
  }

  /** With tasks, and in how many milliseconds each is due. */
  static async begin(
    dueIn: Readonly<Record<string, number>>,
    before?: (earlier: StoreCommandRunner, clock: SettableClock) => Promise<void>,
  ): Promise<World> {
    const adapter = new WatchedAdapter();
    const clock = new SettableClock(BEGIN);
    const earlier = new StoreCommandRunner({
      store: await Log.open(adapter, eventCatalog),
      clock: clock.read,
      newId: String,
    });
    for (const [taskId, ms] of Object.entries(dueIn)) {
      const schedule = { type: 'once', atTimestamp: BEGIN + ms } as const;
      const task = { taskId, name: taskId, topic: 'a.topic', payload: { note: taskId }, schedule };
      await earlier.run(createTask, task, who);
    }
    await before?.(earlier, clock);
    const log = await Log.open(adapter, eventCatalog);
    const views = new ProjectionRuntime(log, [tasks]);
    await views.start();
    const world = new World(log, views, clock, adapter);
    adapter.before = (name, stream) => world.#before(name, stream);
    world.#firing.start();
    await world.#waitsAgain(0);
    return world;
  }

  /** Stands in the way of reading a stream. */
  standInTheWay: (stream: unknown) => void | Promise<void> = () => {};

  async #before(name: string, stream: unknown): Promise<void> {
    if (name !== 'readStream') return;
    this.reads.add(stream);
    await this.standInTheWay(stream);
  }

  /** To the moment at which they are read ahead. */
  async comeNear(): Promise<void> {
    await this.advance(DUE_IN_MS - AHEAD_MS);
  }

  async advance(ms: number): Promise<void> {
    const before = this.#waits.items.length;
    this.clock.advance(ms);
    await this.#waitsAgain(before);
  }

  async #waitsAgain(before: number): Promise<void> {
    await this.#waits.until((items) => items.length > before);
  }

  async waitsFor(at: number): Promise<void> {
    await this.#waits.until((items) => items.includes(at));
  }

  comeDue(): void {
    this.clock.advance(AHEAD_MS);
  }

  async stop(): Promise<void> {
    await this.#firing.stop();
    assert.deepEqual(this.faults.items, []);
  }
}

describe('what will be due', () => {
  test('is read before, and then not again', async () => {
    const world = await World.begin(together('a', 'b', 'c'));
    await world.comeNear();
    const read = (await world.reads.count(3)).map(String);
    assert.deepEqual(read.toSorted(), ['task-a', 'task-b', 'task-c']);
    assert.deepEqual(world.fired.items, []);
    world.comeDue();
    await world.fired.count(3);
    assert.equal(world.reads.items.length, 3);
    await world.stop();
  });

  test('is fired also when it could not be read before', async () => {
    const world = await World.begin(together('a', 'b'));
    world.standInTheWay = () => {
      throw new HarkError('KVSTORE_UNAVAILABLE');
    };
    await world.comeNear();
    await world.reads.count(2);
    await turns();
    assert.equal(world.reads.items.length, 2, 'it is not tried again before it is due');
    world.standInTheWay = () => {};
    world.comeDue();
    assert.deepEqual((await world.fired.count(2)).toSorted(), ['a', 'b']);
    await world.stop();
  });

  test('does not wait for others that are slow to be read', async () => {
    const world = await World.begin(together('slow', 'quick'));
    const slow = Promise.withResolvers<void>();
    world.standInTheWay = (stream) => (stream === 'task-slow' ? slow.promise : undefined);
    await world.comeNear();
    world.comeDue();
    assert.deepEqual(await world.fired.count(1), ['quick']);
    slow.resolve();
    await world.fired.count(2);
    await world.stop();
  });

  test('is begun for 64 at once, however many there are', async () => {
    const ids = Array.from({ length: 80 }, (_, index) => `task-${index}`);
    const world = await World.begin(together(...ids));
    const gate = Promise.withResolvers<void>();
    world.standInTheWay = () => gate.promise;
    world.clock.advance(DUE_IN_MS);
    await world.reads.count(64);
    await turns();
    assert.equal(world.reads.items.length, 64);
    gate.resolve();
    assert.equal(new Set(await world.fired.count(80)).size, 80);
    await world.stop();
  });

  test('is not fired when it was called off after it was read', async () => {
    const world = await World.begin(together('a', 'b'));
    await world.comeNear();
    await world.reads.count(2);
    await world.runner.run(cancelTask, { taskId: 'a' }, who);
    world.comeDue();
    assert.deepEqual(await world.fired.count(1), ['b']);
    await world.stop();
  });

  test('says nothing of what was erased after it was read', async () => {
    const world = await World.begin(together('a'));
    await world.comeNear();
    await world.reads.count(1);
    await world.log.append({
      ...who,
      stream: 'memory-ann',
      events: [{ type: memoryErased.type, data: {} }],
      expected: 'any',
      at: world.clock.read(),
      causationId: null,
    });
    world.comeDue();
    assert.deepEqual(await world.cancelled.count(1), ['erased']);
    assert.deepEqual(world.fired.items, []);
    await world.stop();
  });
});

test('what is due long after the start is fired in its time', async () => {
  const minutes = range(1, 40);
  const world = await World.begin(Object.fromEntries(minutes.map((n) => [`t${n}`, n * MINUTE])));
  for (const n of minutes) {
    await world.advance(MINUTE);
    assert.equal((await world.fired.count(n)).at(-1), `t${n}`);
  }
  await world.stop();
});

describe('what is due', () => {
  const failOnce = (world: World, error: Error) => {
    const errors = [error];
    world.adapter.before = (name) => {
      const thrown = name === 'append' ? errors.shift() : undefined;
      if (thrown) throw thrown;
    };
  };

  test('is fired a second later when the log was away in that moment', async () => {
    const world = await World.begin(together('a'));
    await world.comeNear();
    await world.reads.count(1);
    failOnce(world, new HarkError('KVSTORE_UNAVAILABLE'));
    world.comeDue();
    await world.waitsFor(BEGIN + DUE_IN_MS + 1_000);
    await world.advance(1_000);
    assert.deepEqual(await world.fired.count(1), ['a']);
    await world.stop();
  });

  test('is fired a minute later after a fault, which is told of', async () => {
    const world = await World.begin(together('a'));
    await world.comeNear();
    await world.reads.count(1);
    const fault = new RangeError('no such page');
    failOnce(world, fault);
    world.comeDue();
    assert.deepEqual(await world.faults.count(1), [fault]);
    await world.advance(MINUTE - 1);
    await turns();
    assert.deepEqual(world.fired.items, []);
    await world.advance(1);
    assert.deepEqual(await world.fired.count(1), ['a']);
    world.faults.items.pop();
    await world.stop();
  });

  test('is fired when the log comes back', async () => {
    const world = await World.begin(together('a'));
    world.isHere = false;
    await world.advance(DUE_IN_MS);
    world.isHere = true;
    await world.advance(5_000);
    assert.deepEqual(await world.fired.count(1), ['a']);
    await world.stop();
  });

  test('just before there was anybody to fire it is late', async () => {
    const world = await World.begin({ a: -500 });
    assert.deepEqual(await world.late.count(1), [true]);
    await world.stop();
  });

  test('is fired after a pause', async () => {
    const world = await World.begin({});
    const schedule = { type: 'interval', intervalMs: MINUTE } as const;
    const task = { taskId: 'a', name: 'a', topic: 'a.topic', payload: null, schedule };
    await world.runner.run(createTask, task, who);
    await world.runner.run(changeStatus, { taskId: 'a', status: 'paused' }, who);
    await world.advance(MINUTE + 1);
    await world.runner.run(changeStatus, { taskId: 'a', status: 'active' }, who);
    await world.advance(MINUTE);
    assert.deepEqual(await world.fired.count(1), ['a']);
    await world.stop();
  });

  test('at the end of what was looked through is fired too', async () => {
    const world = await World.begin({});
    const schedule = { type: 'once', atTimestamp: BEGIN + 10 * MINUTE } as const;
    const task = { taskId: 'a', name: 'a', topic: 'a.topic', payload: null, schedule };
    await world.runner.run(createTask, task, who);
    await world.advance(10 * MINUTE);
    assert.deepEqual(await world.fired.count(1), ['a']);
    await world.stop();
  });

  test('is waited for by a process that stops', async () => {
    const world = await World.begin(together('a'));
    await world.comeNear();
    await world.reads.count(1);
    const asked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    world.adapter.before = (name) => {
      if (name !== 'append') return undefined;
      asked.resolve();
      return gate.promise;
    };
    world.comeDue();
    await asked.promise;
    const ends: string[] = [];
    const stopped = world.stop().then(() => ends.push('stop'));
    setImmediate(() => {
      ends.push('write');
      gate.resolve();
    });
    await stopped;
    assert.deepEqual(ends, ['write', 'stop']);
    assert.deepEqual(world.fired.items, ['a']);
  });

  test('is waited for by a process that stops, but not for longer than two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const world = await World.begin(together('a'));
      await world.comeNear();
      await world.reads.count(1);
      const asked = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      world.adapter.before = (name) => {
        if (name !== 'append') return undefined;
        asked.resolve();
        return gate.promise;
      };
      world.comeDue();
      await asked.promise;
      let isStopped = false;
      const stopped = world.stop().then(() => {
        isStopped = true;
      });
      vi.advanceTimersByTime(1_999);
      await turns();
      assert.equal(isStopped, false);
      vi.advanceTimersByTime(1);
      await stopped;
      assert.deepEqual(world.fired.items, []);
      gate.resolve();
    } finally {
      vi.useRealTimers();
    }
  });

  test('is fired in its time when the clock went back in the moment in which it was looked at', async () => {
    const world = await World.begin(together('a'));
    await world.comeNear();
    await world.reads.count(1);
    const looked = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { runner } = world;
    const run = runner.run.bind(runner);
    runner.run = async (command, input, context) => {
      looked.resolve();
      await gate.promise;
      return run(command, input, context);
    };
    world.comeDue();
    await looked.promise;
    // By less than would have it planned anew.
    world.clock.advance(-500);
    gate.resolve();
    await world.waitsFor(BEGIN + DUE_IN_MS);
    await turns();
    assert.deepEqual(world.fired.items, []);
    await world.advance(500);
    assert.deepEqual(await world.fired.count(1), ['a']);
    await world.stop();
  });

  test('is fired by each process, whoever holds the lease of what one alone may do', async () => {
    const world = await World.begin(together('a'));
    assert.deepEqual(
      world.adapter.calls.filter(({ name }) => name === 'acquireLease'),
      [],
    );
    await world.stop();
  });
});

describe('a clock that was ahead', () => {
  /** A task that was fired once while the clock was ahead, which then was put back. */
  const ahead = async (intervalMs: number, aheadMs: number) => {
    const world = await World.begin({});
    const schedule = { type: 'interval', intervalMs } as const;
    const task = { taskId: 'a', name: 'a', topic: 'a.topic', payload: null, schedule };
    await world.runner.run(createTask, task, who);
    await world.advance(aheadMs);
    await world.fired.count(1);
    await turns();
    await world.advance(-aheadMs);
    return world;
  };

  test('has tasks planned anew when it is put back, and what was fired is not fired again', async () => {
    const world = await ahead(10 * MINUTE, 120 * MINUTE);
    assert.deepEqual(await world.replanned.count(1), [BEGIN + 20 * MINUTE]);
    await turns();
    const planned = world.adapter.countOf('append');
    await world.advance(5_000);
    assert.equal(world.adapter.countOf('append'), planned);
    await world.advance(-5_000);
    await world.advance(10 * MINUTE);
    assert.deepEqual(world.fired.items, ['a']);
    await world.advance(10 * MINUTE);
    assert.deepEqual(await world.fired.count(2), ['a', 'a']);
    assert.equal(world.replanned.items.length, 1);
    await world.stop();
  });

  test('by little more than a minute has tasks planned anew', async () => {
    const world = await ahead(7_000, MINUTE + 1_000);
    assert.deepEqual(await world.replanned.count(1), [BEGIN + 14_000]);
    await world.stop();
  });

  test('by a minute changes no plan', async () => {
    const world = await ahead(7_000, MINUTE);
    await world.advance(5_000);
    await turns();
    assert.deepEqual(world.replanned.items, []);
    await world.stop();
  });

  test('in another process, before this one began, has tasks planned anew too', async () => {
    const schedule = { type: 'interval', intervalMs: 10 * MINUTE } as const;
    const task = { taskId: 'a', name: 'a', topic: 'a.topic', payload: null, schedule };
    const world = await World.begin({}, async (earlier, clock) => {
      clock.advance(120 * MINUTE);
      await earlier.run(createTask, task, who);
      clock.advance(-120 * MINUTE);
    });
    assert.deepEqual(await world.replanned.count(1), [BEGIN + 10 * MINUTE]);
    await turns();
    // Looked for in the tables again, which tell of that time still.
    const { runner } = world;
    const run = runner.run.bind(runner);
    const ran: string[] = [];
    runner.run = (command, input, context) => {
      ran.push(command.name);
      return run(command, input, context);
    };
    await world.advance(5 * MINUTE);
    await turns();
    assert.deepEqual(ran, []);
    await world.stop();
  });
});
