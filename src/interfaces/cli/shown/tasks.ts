import { type TaskState, taskState } from '../../../commands/scheduler/state.ts';
import { schedulerTypes, taskIn } from '../../../projections/scheduler/touched.ts';
import type { Fields, Shown } from './shown.ts';

export const shownTasks: Shown = {
  name: 'tasks',
  about: 'what was scheduled, and when it was due next',
  key: 'task',
  handles: schedulerTypes,
  keysOf: taskIn,
  async entriesAt(store, until, userId) {
    const known = new Map<string, TaskState>();
    const range = { after: 0, until, userId, types: new Set(schedulerTypes) };
    for await (const { events } of store.readAll(range)) {
      for (const event of events) {
        const task = taskState.evolve(known.get(event.stream) ?? null, event);
        if (task) known.set(event.stream, task);
      }
    }
    return new Map<string, Fields>(
      Array.from(
        known.values(),
        ({ taskId, name, status, topic, nextRunAt, lastRunAt, runCount, failures }) => [
          taskId,
          { name, status, topic, nextRunAt, lastRunAt, runCount, failures },
        ],
      ),
    );
  },
};
