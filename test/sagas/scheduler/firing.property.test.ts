import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fc, it } from '@fast-check/vitest';
import { describe } from 'vitest';
import { SettableClock, type Wake } from '../../../src/clock.ts';
import { type CommandRunner, StoreCommandRunner } from '../../../src/commands/runner.ts';
import { cancelTask, changeStatus } from '../../../src/commands/scheduler/changeStatus.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { isHarkError } from '../../../src/errors.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readSchedulerEvent, type SchedulerEvent } from '../../../src/events/scheduler.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { findTask, tasks } from '../../../src/projections/scheduler/tasks.ts';
import { nextAfter, type Schedule } from '../../../src/recurrence.ts';
import { ClockScheduler } from '../../../src/sagas/clockScheduler.ts';
import type { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { fireTasks } from '../../../src/sagas/scheduler/firing.ts';
import { Log } from '../../../src/store/log.ts';
import { readAll } from '../../store/contract.ts';
import { runtimeOn } from '../../support/sagas.ts';
import { type Hold, SharedStore } from '../../support/sharedStore.ts';

/** An hour before Berlin puts its clocks forward. */
const BEGIN = Date.UTC(2026, 2, 29, 0);
const HOUR = 3_600_000;
/** A clock that goes back by as much is noticed, also by who has not looked for a while. */
const NOTICED_MS = 70_000;

const schedule: fc.Arbitrary<Schedule> = fc.oneof(
  fc.record({
    type: fc.constant('cron' as const),
    expression: fc.constantFrom(
      '*/5 * * * *',
      '30 2 * * *',
      '0 */2 * * *',
      '*/20 * * * * *',
      '15 1,2,3 * * *',
    ),
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
  }),
  fc.record({
    type: fc.constant('interval' as const),
    intervalMs: fc.integer({ min: 1_000, max: 2 * HOUR }),
  }),
  fc.record({
    type: fc.constant('once' as const),
    atTimestamp: fc.integer({ min: BEGIN, max: BEGIN + 9 * HOUR }),
  }),
);

const some = fc.nat({ max: 6 });
const step = fc.oneof(
  { arbitrary: fc.record({ do: fc.constant('make' as const), schedule }), weight: 3 },
  {
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      ms: fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: HOUR }), fc.nat({ max: 30 * HOUR })),
      /** Whether the next step waits until all that is due has been fired. */
      settles: fc.boolean(),
    }),
    weight: 6,
  },
  fc.record({
    do: fc.constant('back' as const),
    ms: fc.oneof(fc.nat({ max: 90_000 }), fc.nat({ max: 9 * HOUR })),
  }),
  /** To and fro, when who was woken has begun and not ended. */
  fc.record({
    do: fc.constant('jerk' as const),
    ms: fc.nat({ max: 50_000 }),
    between: fc.nat({ max: 30 }),
  }),
  fc.record({ do: fc.constantFrom('start', 'kill', 'stop'), which: some }),
  fc.record({ do: fc.constantFrom('pause', 'resume', 'cancel'), which: some }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** One of several processes on a log. */
class Process {
  readonly log: Log;
  readonly runner: CommandRunner;
  readonly views: ProjectionRuntime;
  readonly #hold: Hold;
  readonly #firing: SagaRuntime;
  /** What it has begun and not ended, and whether it waits for the clock. */
  #underWay = 0;
  #isWaiting = false;

  private constructor(hold: Hold, log: Log, views: ProjectionRuntime, clock: SettableClock) {
    this.#hold = hold;
    this.log = log;
    this.views = views;
    this.runner = new StoreCommandRunner({ store: log, clock: clock.read, newId: String });
    const { runner } = this;
    const counted: CommandRunner = {
      read: (...asked) => runner.read(...asked),
      run: (...asked) => {
        this.#underWay++;
        return runner.run(...asked).finally(() => this.#underWay--);
      },
    };
    const context = () => ({ store: log, runner: counted, views });
    const onFailure = (_what: string, error: unknown) => assert.fail(String(error));
    const wake: Wake = (at, callback) => {
      this.#isWaiting = true;
      return clock.wake(at, () => {
        this.#isWaiting = false;
        callback();
      });
    };
    this.#firing = runtimeOn(log, fireTasks({ context, hasActor: () => false, onFailure }), {
      onFailure,
      time: new ClockScheduler({ clock: clock.read, wake }),
    });
    this.#firing.start();
  }

  static async start(store: SharedStore, clock: SettableClock): Promise<Process> {
    const hold = store.hold();
    const log = await Log.open(hold.adapter, eventCatalog);
    const views = new ProjectionRuntime(log, [tasks]);
    await views.start();
    return new Process(hold, log, views, clock);
  }

  get isIdle(): boolean {
    return this.#isWaiting && this.#underWay === 0;
  }

  stop(): Promise<void> {
    return this.#firing.stop();
  }

  kill(): void {
    this.#hold.kill();
  }
}

class World {
  readonly clock = new SettableClock(BEGIN);
  readonly #store = new SharedStore();
  readonly #made: string[] = [];
  processes: Process[] = [];

  async take(step: Step): Promise<void> {
    const [process] = this.processes;
    switch (step.do) {
      case 'make':
        return process && this.#make(process, step.schedule);
      case 'advance':
        this.clock.advance(step.ms);
        return step.settles ? this.settle() : undefined;
      case 'back':
        await this.settle();
        this.clock.advance(-step.ms);
        await this.settle();
        return step.ms > NOTICED_MS && process ? this.#checkPlans() : undefined;
      case 'jerk':
        this.clock.advance(step.ms);
        for (let each = 0; each < step.between; each++) await Promise.resolve();
        this.clock.advance(-step.ms);
        return undefined;
      case 'start':
        if (this.processes.length < 3) this.processes.push(await Process.start(this.#store, this.clock));
        return undefined;
      default:
        return this.#stopOrChange(step.do, step.which);
    }
  }

  /** After the clock went back, nobody waits for what would only have come long after. */
  async #checkPlans(): Promise<void> {
    const now = this.clock.read();
    for (const { isOnce, next, first } of await this.expectations())
      assert.ok(isOnce || next === null || next === first(now), 'planned anew');
  }

  async #stopOrChange(what: string, which: number): Promise<void> {
    const place = which % Math.max(1, this.processes.length);
    const process = this.processes[place];
    if (what === 'kill' || what === 'stop') {
      this.processes = this.processes.filter((other) => other !== process);
      if (what === 'kill') return process?.kill();
      return process?.stop();
    }
    const taskId = this.#made[which % Math.max(1, this.#made.length)];
    if (!process || taskId === undefined) return;
    const { runner } = process;
    const changed =
      what === 'cancel'
        ? runner.run(cancelTask, { taskId }, who)
        : runner.run(changeStatus, { taskId, status: what === 'pause' ? 'paused' : 'active' }, who);
    await changed.catch((error) => assert.ok(isHarkError(error, 'SCHEDULED_TASK_OVER'), String(error)));
  }

  async #make({ runner }: Process, schedule: Schedule): Promise<void> {
    const taskId = `t${this.#made.length}`;
    const task = { taskId, name: taskId, topic: 'a.topic', payload: null, schedule };
    await runner.run(createTask, task, who).then(
      () => this.#made.push(taskId),
      (error) => assert.ok(isHarkError(error, 'SCHEDULE_INVALID'), String(error)),
    );
  }

  /** Resolves when everybody who is there has nothing left to do; then nothing is due. */
  async settle(): Promise<void> {
    const due = ({ views }: Process) =>
      this.#made.some((taskId) => (findTask(views, taskId)?.nextRunAt ?? Infinity) <= this.clock.read());
    let turns = 0;
    do {
      assert.ok(turns++ < 20_000, 'what is due is fired');
      // What was handed out begins in a microtask: at the end of a turn all of it has begun.
      await nextTurn();
    } while (this.processes.some((process) => !process.isIdle || due(process)));
  }

  /** What the log has of each task is what was to be expected; and what is to be expected next. */
  async expectations(): Promise<readonly Expectation[]> {
    const log = await Log.open(this.#store.hold().adapter, eventCatalog);
    const byTask = new Map<string, Expectation>();
    for (const stored of await readAll(log)) {
      const event = readSchedulerEvent(stored);
      if (!event) continue;
      const expected = byTask.get(event.data.taskId) ?? new Expectation();
      byTask.set(event.data.taskId, expected);
      expected.take(event, stored.at);
    }
    return Array.from(byTask.values());
  }
}

const who = { userId: 'ann', correlationId: 'test' };

/** What is due next of one task, followed event by event: whatever fires has to be exactly that. */
class Expectation {
  #schedule: Schedule = { type: 'once', atTimestamp: 0 };
  #next: number | null = null;
  #lastDue = Number.NEGATIVE_INFINITY;
  readonly fired = new Set<string>();

  get next(): number | null {
    return this.#next;
  }

  take({ type, data }: SchedulerEvent, at: number): void {
    switch (type) {
      case 'schedule.task.created':
        this.#schedule = data.schedule;
        this.#plan(data.nextRunAt, this.#begun(at));
        break;
      case 'schedule.task.resumed':
        this.#plan(data.nextRunAt, this.#begun(at));
        break;
      case 'schedule.task.fired': {
        assert.equal(data.dueAt, this.#next, 'what is fired is what was due');
        assert.ok(data.dueAt <= at, 'not before its time');
        assert.ok(!this.fired.has(data.occurrenceId), 'once');
        this.fired.add(data.occurrenceId);
        this.#lastDue = data.dueAt;
        this.#plan(data.nextRunAt, nextAfter(this.#schedule, Math.max(at, data.dueAt), data.dueAt));
        break;
      }
      case 'schedule.task.replanned':
        this.#plan(data.nextRunAt, this.first(at));
        break;
      case 'schedule.task.paused':
      case 'schedule.task.cancelled':
        this.#next = null;
    }
  }

  /** The first after this that was not fired yet. */
  readonly first = (after: number): number | null =>
    this.#next && nextAfter(this.#schedule, Math.max(after, this.#lastDue), this.#next);

  get isOnce(): boolean {
    return this.#schedule.type === 'once';
  }

  #begun(at: number): number | null {
    if (this.#schedule.type === 'once') return this.#schedule.atTimestamp;
    return nextAfter(this.#schedule, Math.max(at, this.#lastDue), at);
  }

  #plan(planned: number | null, expected: number | null): void {
    assert.equal(planned, expected, 'planned for when it is due');
    this.#next = planned;
  }
}

describe('firing', () => {
  it.prop([fc.array(step, { minLength: 1, maxLength: 30 })], { numRuns: 150 })(
    'fires whatever is due, each once, whatever restarts, however the clock jumps',
    async (steps) => {
      const world = new World();
      await world.take({ do: 'start', which: 0 });
      for (const one of steps) await world.take(one);
      if (world.processes.length === 0) await world.take({ do: 'start', which: 0 });
      await world.settle();
      const now = world.clock.read();
      for (const { next } of await world.expectations())
        assert.ok(next === null || next > now, 'nothing that is due is left');
      for (const process of world.processes) await process.stop();
    },
  );
});
