import { viewAt } from '../../../projections/runtime.ts';
import { detailsOf } from '../../../projections/scheduler/taskDetails.ts';
import { rowsOf, tasks } from '../../../projections/scheduler/tasks.ts';
import { schedulerTypes, taskIn } from '../../../projections/scheduler/touched.ts';
import type { Fields, Shown } from './shown.ts';

export const shownTasks: Shown = {
  name: 'tasks',
  about: 'what was scheduled, and when it was due next',
  key: 'task',
  handles: schedulerTypes,
  keysOf: taskIn,
  async entriesAt(store, until, userId) {
    const shown = new Map<string, Fields>();
    for (const row of rowsOf(await viewAt(store, tasks, until), userId)) {
      const { taskId, status, nextRunAt, lastRunAt, runCount, failures } = row;
      const { name = null, topic } = (await detailsOf(store, taskId, { untilPosition: until })) ?? {};
      shown.set(taskId, { name, status, topic, nextRunAt, lastRunAt, runCount, failures });
    }
    return shown;
  },
};
