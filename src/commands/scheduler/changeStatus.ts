import { HarkError } from '../../errors.ts';
import { type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import { nextAfter, type Schedule } from '../../recurrence.ts';
import { defineCommand } from '../command.ts';
import { type TaskState, taskState } from './state.ts';

/** What is refused of a task that was never made. */
function known(task: TaskState | null): TaskState {
  if (!task) throw unknownTask();
  return task;
}

export function unknownTask(): HarkError {
  return new HarkError('SCHEDULED_TASK_UNKNOWN');
}

interface ChangeStatus {
  readonly taskId: string;
  readonly status: 'active' | 'paused';
}

/** Pauses or resumes a task. What would have been due during the pause is not made up for. */
export const changeStatus = defineCommand<ChangeStatus, TaskState | null>({
  name: 'scheduler.changeStatus',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(state, { taskId, status: wanted }, { now }): SchedulerEvent[] {
    const { status, schedule, lastDueAt } = known(state);
    if (status === wanted) return [];
    if (status !== 'active' && status !== 'paused') throw over(status);
    if (wanted === 'paused') return [{ type: 'schedule.task.paused', data: { taskId, because: 'asked' } }];
    const nextRunAt = resumedAt(schedule, now, lastDueAt ?? now);
    if (nextRunAt === null) throw over('completed');
    return [{ type: 'schedule.task.resumed', data: { taskId, nextRunAt } }];
  },
});

/** What was to be done once is still to be done, also when its time has come meanwhile. */
function resumedAt(schedule: Schedule, now: number, lastDueAt: number): number | null {
  if (schedule.type === 'once') return schedule.atTimestamp;
  // A clock that went back meanwhile has nothing fired again.
  return nextAfter(schedule, Math.max(now, lastDueAt), now);
}

export function over(status: string): HarkError {
  return new HarkError('SCHEDULED_TASK_OVER', { message: `The task is ${status}` });
}

interface CancelTask {
  readonly taskId: string;
  readonly because?: 'asked' | 'erased';
}

/** From any status. It stays listed, and never fires again; what acts on it at the moment goes on. */
export const cancelTask = defineCommand<CancelTask, TaskState | null>({
  name: 'scheduler.cancelTask',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(task, { taskId, because = 'asked' }): SchedulerEvent[] {
    const { status, textless } = known(task);
    if (status === 'cancelled' || (because === 'erased' && textless)) return [];
    return [{ type: 'schedule.task.cancelled', data: { taskId, because } }];
  },
});
