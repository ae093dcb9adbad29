import type { z } from 'zod';
import { unknownTask } from '../../commands/scheduler/changeStatus.ts';
import { readTask } from '../../commands/scheduler/state.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { notifications } from '../../projections/notifications/notifications.ts';
import { detailsOf } from '../../projections/scheduler/taskDetails.ts';
import { rowOf } from '../../projections/scheduler/tasks.ts';
import type { TaskRow } from '../../projections/scheduler/taskTable.ts';
import type { ServiceContext } from '../kvstore.ts';
import type { Caller } from '../operation.ts';
import { type TaskView, taskToWire, type taskWithResult } from './taskShapes.ts';

/** So many are read without a pause: of a log in Redis at once, of one in SQLite in a millisecond or two. */
const MOST_TOGETHER = 16;

/** Nobody is told that somebody else has a task. */
export function ownRow({ views }: ServiceContext, taskId: string, { userId }: Caller): TaskRow {
  const row = rowOf(views, userId, taskId);
  if (!row) throw unknownTask();
  return row;
}

async function viewOf({ store }: ServiceContext, row: TaskRow): Promise<TaskView> {
  const details = await detailsOf(store, row.taskId);
  if (!details) throw unknownTask();
  return taskToWire(row, details);
}

/** One task, with what came of it the last time. */
export async function shownTask(
  context: ServiceContext,
  taskId: string,
  caller: Caller,
): Promise<z.output<typeof taskWithResult>> {
  const { runner, views } = context;
  const { userId } = caller;
  const task = await viewOf(context, ownRow(context, taskId, caller));
  const { last } = (await readTask(runner, taskId, userId)) ?? {};
  if (!last) return task;
  const { at, code, occurrenceId, attempt } = last;
  if (code !== null) return { ...task, lastResult: { at, status: 'failed', code } };
  const { notifications: told } = await views.of(notifications, userId);
  const text = told.find(({ notificationId }) => notificationId === `${occurrenceId}-${attempt}`)?.text;
  return { ...task, lastResult: { at, status: 'succeeded', ...(text ? { text } : {}) } };
}

/** In their order, and however many they are: others have their turn after every few. */
export async function* viewsOf(
  context: ServiceContext,
  rows: Iterable<TaskRow>,
): AsyncGenerator<readonly TaskView[]> {
  let together: TaskRow[] = [];
  const read = () => Promise.all(together.map((row) => viewOf(context, row)));
  for (const row of rows) {
    together.push(row);
    if (together.length < MOST_TOGETHER) continue;
    yield await read();
    together = [];
    if (!hasTime()) await fairShare();
  }
  if (together.length > 0) yield await read();
}
