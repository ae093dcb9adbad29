import { taskStream } from '../../events/scheduler.ts';
import type { EventReader } from '../../store/port.ts';
import { viewAtTime } from '../runtime.ts';
import { tasks } from './tasks.ts';
import type { TaskRow, TaskTable } from './taskTable.ts';

/** The tasks of a user as they were once. */
export function tasksAt(store: EventReader, userId: string, time: number): Promise<TaskTable> {
  return viewAtTime(store, tasks, { userId }, time);
}

/** One of them; undefined also for a task of somebody else. */
export async function taskAt(
  store: EventReader,
  { userId, taskId }: { readonly userId: string; readonly taskId: string },
  time: number,
): Promise<TaskRow | undefined> {
  const table = await viewAtTime(store, tasks, { streams: [taskStream(taskId)] }, time);
  const row = table.find(taskId);
  return row?.userId === userId ? row : undefined;
}
