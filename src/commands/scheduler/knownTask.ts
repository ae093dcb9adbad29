import { HarkError } from '../../errors.ts';
import type { TaskState } from './state.ts';

/** What is refused of a task that was never made. */
export function known(task: TaskState | null): TaskState {
  if (!task) throw unknownTask();
  return task;
}

export function unknownTask(): HarkError {
  return new HarkError('SCHEDULED_TASK_UNKNOWN');
}
