import { type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import { nextAfter } from '../../recurrence.ts';
import { defineCommand } from '../command.ts';
import { type TaskState, taskState } from './state.ts';

interface ReplanTask {
  readonly taskId: string;
}

/**
 * After the clock went back: the next occurrence is the first one after now that has not been fired yet. What was
 * fired while the clock was ahead is not fired again.
 */
export const replanTask = defineCommand<ReplanTask, TaskState | null>({
  name: 'scheduler.replanTask',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(task, { taskId }, { now }): SchedulerEvent[] {
    if (task?.status !== 'active' || task.nextRunAt === null) return [];
    const { schedule, lastDueAt, nextRunAt } = task;
    if (schedule.type === 'once') return [];
    const next = nextAfter(schedule, Math.max(now, lastDueAt ?? now), nextRunAt);
    if (next === null || next >= nextRunAt) return [];
    return [{ type: 'schedule.task.replanned', data: { taskId, nextRunAt: next } }];
  },
});
