import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'vitest';
import { SettableClock } from '../../../src/clock.ts';
import { eraseMemory } from '../../../src/commands/memory/forgetting.ts';
import { StoreCommandRunner } from '../../../src/commands/runner.ts';
import { changeStatus } from '../../../src/commands/scheduler/changeStatus.ts';
import { createTask } from '../../../src/commands/scheduler/createTask.ts';
import { fireTask } from '../../../src/commands/scheduler/fireTask.ts';
import { eventCatalog } from '../../../src/events/catalog.ts';
import { readSchedulerEvent } from '../../../src/events/scheduler.ts';
import { ProjectionRuntime } from '../../../src/projections/runtime.ts';
import { findTask, tasks } from '../../../src/projections/scheduler/tasks.ts';
import { SagaRuntime } from '../../../src/sagas/runtime.ts';
import { cancelErased } from '../../../src/sagas/scheduler/cancelErased.ts';
import { Log } from '../../../src/store/log.ts';
import { MemoryAdapter } from '../../../src/store/memory/adapter.ts';
import { NOW } from '../../support/given.ts';
import { begun } from '../../support/sagas.ts';

const saga = 'cancel-erased-tasks';
const who = { userId: 'ann', correlationId: 'test' };

test('with all of a user, every task that was still to fire is cancelled, and none that came after', async () => {
  const store = await Log.open(new MemoryAdapter(), eventCatalog);
  const views = new ProjectionRuntime(store, [tasks]);
  await views.start();
  const clock = new SettableClock(NOW);
  const runner = new StoreCommandRunner({ store, clock: clock.read, newId: String });
  await begun(store, saga);
  const create = async (
    taskId: string,
    ms: number,
    context = who,
    payload: object | null = { text: 'Tea' },
  ) => {
    const schedule = { type: 'once', atTimestamp: NOW + ms } as const;
    const task = { taskId, name: taskId, topic: 'tea.ready', payload: payload && { ...payload }, schedule };
    await runner.run(createTask, task, context);
  };
  await create('done', 0);
  await runner.run(fireTask, { taskId: 'done', presentSince: NOW, hasActor: () => false }, who);
  for (const taskId of ['active', 'other', 'paused']) await create(taskId, 60_000);
  await runner.run(changeStatus, { taskId: 'paused', status: 'paused' }, who);
  await create('textless', 60_000, who, null);
  await create('of-ben', 60_000, { ...who, userId: 'ben' });
  await runner.run(eraseMemory, {}, who);
  const erasedAt = await store.head();
  await create('later', 60_000);

  const reasons: string[] = [];
  store.onAppended((events) => {
    for (const stored of events) {
      const event = readSchedulerEvent(stored);
      if (event?.type === 'schedule.task.cancelled') reasons.push(event.data.because);
    }
  });
  const onFailure = (_what: string, error: unknown) => assert.fail(String(error));
  const sagas = [cancelErased(() => views)];
  const process = new SagaRuntime({ store, runner, sagas, instanceId: 'one', onFailure });
  process.start();
  while ((await store.readCursor(saga)).position < erasedAt) await nextTurn();
  await process.stop();

  const ids = ['done', 'active', 'other', 'paused', 'textless', 'of-ben', 'later'];
  assert.deepEqual(Object.fromEntries(ids.map((taskId) => [taskId, findTask(views, taskId)?.status])), {
    ...{ done: 'completed', active: 'cancelled', other: 'cancelled', paused: 'cancelled' },
    ...{ textless: 'active', 'of-ben': 'active', later: 'active' },
  });
  assert.deepEqual(reasons, ['erased', 'erased', 'erased']);
});
