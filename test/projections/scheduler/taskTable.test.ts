import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readSchedulerEvent } from '../../../src/events/scheduler.ts';
import { TaskTable } from '../../../src/projections/scheduler/taskTable.ts';
import { taskIn } from '../../../src/projections/scheduler/touched.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
import { range } from '../../support/range.ts';

type Fact = readonly [what: string, data: object];

const schedule = { type: 'once', atTimestamp: NOW + 9 };
const created = (taskId: string): Fact => [
  'task.created',
  { taskId, topic: 'a.topic', schedule, nextRunAt: NOW + 9, generation: 0, madeBy: 'user' },
];
const run = (taskId: string) => ({ taskId, occurrenceId: `${taskId}@1`, attempt: 1 });

/** The table after these, of one user, as it is and as it is read back from what is saved of it. */
async function tables(...facts: readonly Fact[]): Promise<readonly TaskTable[]> {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const table = new TaskTable();
  log.onAppended((events) => {
    for (const stored of events) {
      const event = readSchedulerEvent(stored);
      if (event) table.apply(Object.assign(stored, event));
    }
  });
  for (const [what, data] of facts) {
    const events = [{ type: `schedule.${what}`, data }];
    const who = { userId: 'ann', correlationId: 'test', causationId: null };
    await log.append({ ...who, stream: 'tasks', expected: 'any', at: NOW, events });
  }
  return [table, TaskTable.from(JSON.parse(JSON.stringify(table)))];
}

describe('a task in the table', () => {
  it('that has failed for good is due no more', async () => {
    for (const table of await tables(created('a'), ['task.failed', { taskId: 'a' }])) {
      assert.partialDeepStrictEqual(table.find('a'), { status: 'failed', nextRunAt: null, retryAt: null });
      table.eachDue(0, Number.POSITIVE_INFINITY, () => assert.fail('nothing is due'));
    }
  });

  it('is due when it is tried again, and not when it is not', async () => {
    const failed = { ...run('a'), code: 'TASK_FAILED', failures: 2 };
    for (const retryAt of [NOW + 5, null])
      for (const table of await tables(created('a'), ['run.failed', { ...failed, retryAt }])) {
        const due: number[] = [];
        table.eachDue(NOW, NOW + 9, (at) => due.push(at));
        assert.deepEqual(due, retryAt === null ? [NOW + 9] : [NOW + 9, NOW + 5]);
        assert.equal(table.find('a')?.failures, 2);
      }
  });

  it('is none that was never made', async () => {
    const [table] = await tables(created('a'), ['task.failed', { taskId: 'b' }]);
    assert.equal(table?.find('b'), undefined);
    assert.equal(table?.find('a')?.status, 'active');
  });

  it('is still as it was when there are more than there was room for', async () => {
    const ids = range(0, 200).map((n) => `t${n}`);
    for (const table of await tables(...ids.map(created))) {
      assert.deepEqual(
        table.tasksOf('ann').map((index) => table.row(index).taskId),
        ids,
      );
      assert.partialDeepStrictEqual(table.find('t0'), { userId: 'ann', nextRunAt: NOW + 9, position: 1 });
    }
  });

  it('is not read from what is no table', () => {
    for (const state of [null, 'tasks', {}, { taskIds: '' }])
      assert.throws(() => TaskTable.from(state), TypeError);
  });
});

describe('the task that an event has to do with', () => {
  it('is the one that it names; none where it is of something else', async () => {
    const log = await Log.open(new MemoryAdapter(), eventCatalog);
    const touched: (readonly string[])[] = [];
    log.onAppended((events) => touched.push(...events.map(taskIn)));
    const who = { userId: 'ann', correlationId: 'test', causationId: null };
    const events = [
      { type: 'schedule.task.failed', data: { taskId: 'a' } },
      { type: 'memory.erased', data: {} },
    ];
    await log.append({ ...who, stream: 'some', expected: 'any', at: NOW, events });
    assert.deepEqual(touched, [['a'], []]);
  });
});
