import { type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import { defineCommand } from '../command.ts';
import { known } from './knownTask.ts';
import { type TaskState, taskState } from './state.ts';

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
    if (known(task).status === 'cancelled') return [];
    return [{ type: 'schedule.task.cancelled', data: { taskId, because } }];
  },
});
