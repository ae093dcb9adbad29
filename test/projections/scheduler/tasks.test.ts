import assert from 'node:assert/strict';
import { beforeAll, describe, test } from 'vitest';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { cancelTask, changeStatus } from '../../../src/commands/scheduler/changeStatus.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { endRun } from '../../../src/commands/scheduler/endRun.ts';
import { fireTask } from '../../../src/commands/scheduler/fireTask.ts';
import { occurrenceOf, taskState } from '../../../src/commands/scheduler/state.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { isEvent } from '../../../src/events/definition.ts';
import { taskFired, taskStream } from '../../../src/events/scheduler.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import {
  countOf,
  madeByOthersFor,
  newestFirst,
  rowOf,
  tasks,
  tasksOf,
} from '../../../src/projections/scheduler/tasks.ts';
import type { TaskRow } from '../../../src/projections/scheduler/taskTable.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import type { StoredEvent } from '../../../src/store/storedEvent.ts';
import { type TaskMaker, type TaskStatus, taskMakers } from '../../../src/vocabulary.ts';
import { NOW } from '../../support/given.ts';
import { Random } from '../../support/random.ts';
import { range } from '../../support/range.ts';

const users = ['ann', 'ben', 'cleo'] as const;
const TASKS = 900;

interface MadeTask {
  readonly taskId: string;
  readonly userId: string;
  readonly madeBy: TaskMaker;
}
const MINUTE = 60_000;

describe('the table of tasks', () => {
  const adapter = new MemoryAdapter();
  const ids: MadeTask[] = [];
  let log: Log;
  let runner: StoreCommandRunner;
  let views: ProjectionRuntime;
  let now = NOW;
  beforeAll(async () => {
    log = await Log.open(adapter, eventCatalog);
    runner = new StoreCommandRunner({ store: log, clock: () => now, newId: String });
    views = new ProjectionRuntime(log, [tasks]);
    await views.start();
    const random = new Random(7);
    for (const index of range(0, TASKS)) {
      const [taskId, userId] = [`t${index}`, users[random.whole(0, 3)] ?? 'ann'];
      const made = { taskId, userId, madeBy: taskMakers[random.whole(0, 3)] ?? 'user' };
      ids.push(made);
      await live(made, random.whole(0, 6));
      now += random.whole(0, 3);
    }
  });

  /** One task, with so much that happened to it. */
  async function live({ taskId, userId, madeBy }: MadeTask, far: number): Promise<void> {
    const who = { userId, correlationId: 'test' };
    const schedule = { type: 'interval', intervalMs: MINUTE } as const;
    const notByUser = madeBy === 'user' ? undefined : { maker: madeBy, active: 0 };
    const task = { taskId, name: taskId, schedule, topic: 'tea.time', payload: null, notByUser };
    await runner.run(createTask, task, who);
    const made = now;
    now += MINUTE;
    const fire = { taskId, presentSince: 0, hasActor: () => true };
    const failure = { code: 'MODEL_TIMEOUT' };
    const run = { taskId, occurrenceId: occurrenceOf(taskId, made + MINUTE), attempt: 1, failure };
    if (far > 0) await runner.run(fireTask, fire, who);
    if (far > 1) await runner.run(endRun, run, who);
    if (far === 3) await runner.run(changeStatus, { taskId, status: 'paused' }, who);
    if (far === 4) await runner.run(cancelTask, { taskId }, who);
    if (far === 5) await runner.run(fireTask, fire, who);
  }

  /** When its events say that it was made and fired. */
  async function timesOf(taskId: string): Promise<Pick<TaskRow, 'createdAt' | 'lastRunAt' | 'runCount'>> {
    const events: StoredEvent[] = [];
    for await (const batch of log.readStream(taskStream(taskId))) events.push(...batch);
    const fired = events.filter((event) => isEvent(event, taskFired));
    return {
      createdAt: events[0]?.at ?? 0,
      lastRunAt: fired.at(-1)?.at ?? null,
      runCount: fired.length,
    };
  }

  /** What the table has to say of a task, from what its stream says. */
  async function expected({ taskId, userId, madeBy }: MadeTask): Promise<Partial<TaskRow>> {
    const state = await runner.read(taskState, taskStream(taskId), userId);
    assert.ok(state);
    const { status, nextRunAt, failures, retry } = state;
    const { createdAt, lastRunAt, runCount } = await timesOf(taskId);
    return {
      taskId,
      userId,
      status,
      createdAt,
      nextRunAt,
      lastRunAt,
      runCount,
      failures,
      retryAt: retry?.at ?? null,
      madeBy,
    };
  }

  test('says of each task what its stream says, also when it is read back from where it was saved', async () => {
    await views.saveSnapshots();
    const reopened = await Log.open(adapter, eventCatalog);
    const part = { owner: null, name: `projection:${tasks.name}.3` };
    assert.ok(await reopened.loadSnapshot(part, tasks.version));
    const restarted = new ProjectionRuntime(reopened, [tasks]);
    await restarted.start();
    for (const each of ids) {
      const wanted = await expected(each);
      for (const place of [views, restarted]) {
        const { position: _, ...row } = rowOf(place, each.userId, each.taskId) ?? {};
        assert.deepEqual(row, wanted);
      }
      for (const other of users)
        if (other !== each.userId) assert.equal(rowOf(restarted, other, each.taskId), undefined);
    }
    assert.equal(restarted.parts(tasks).length, 16);
    assert.ok(restarted.parts(tasks).every(({ size }) => size > 20));
  });

  test('counts the active ones of a user that others have made', () => {
    for (const userId of users) {
      const made = tasksOf(views, userId).filter(
        ({ madeBy, status }) => madeBy !== 'user' && status === 'active',
      );
      assert.ok(made.length > 10);
      assert.equal(madeByOthersFor(views, userId), made.length);
    }
  });

  test('lists the tasks of a user newest first, from any of them on, and counts them', () => {
    for (const userId of users) {
      for (const status of [undefined, 'active', 'paused'] as const) {
        const isWanted = (one: TaskStatus) => status === undefined || one === status;
        const all = tasksOf(views, userId).filter((row) => isWanted(row.status));
        assert.ok(all.length > 10);
        assert.equal(countOf(views.parts(tasks), userId, isWanted), all.length);
        const sorted = all.toSorted((one, other) => other.position - one.position);
        assert.deepEqual([...newestFirst(views.parts(tasks), userId, { isWanted })], sorted);
        for (const from of range(0, all.length)) {
          const before = sorted[from]?.position;
          const first = newestFirst(views.parts(tasks), userId, { before, isWanted }).next().value;
          assert.deepEqual(first, sorted[from + 1]);
        }
      }
    }
  });
});
