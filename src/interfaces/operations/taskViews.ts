import type { z } from 'zod';
import { unknownTask } from '../../commands/scheduler/changeStatus.ts';
import { readTask } from '../../commands/scheduler/state.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { notifications } from '../../projections/notifications/notifications.ts';
import { taskAt } from '../../projections/scheduler/past.ts';
import { detailsOf } from '../../projections/scheduler/taskDetails.ts';
import { lastRuns } from '../../projections/scheduler/taskRuns.ts';
import { rowOf } from '../../projections/scheduler/tasks.ts';
import type { TaskRow } from '../../projections/scheduler/taskTable.ts';
import type { ServiceContext } from '../kvstore.ts';
import type { Caller } from '../operation.ts';
import { type TaskView, taskToWire, type taskWithResult } from './taskShapes.ts';

/** So many are read without a pause: of a log in Redis at once, of one in SQLite in a millisecond or two. */
const MOST_TOGETHER = 16;
/** Among so many runs, one that had ended is looked for. */
const RUNS_UNTIL_A_RESULT = 100;

/** Nobody is told that somebody else has a task. */
export function ownRow({ views }: ServiceContext, taskId: string, { userId }: Caller): TaskRow {
  const row = rowOf(views, userId, taskId);
  if (!row) throw unknownTask();
  return row;
}

/** The same as it was at a moment. */
export async function ownRowAt(
  context: ServiceContext,
  taskId: string,
  { userId }: Caller,
  at: number,
): Promise<TaskRow> {
  const row = await taskAt(context.store, { userId, taskId }, at);
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
): Promise<z.output<ReturnType<typeof taskWithResult>>> {
  const task = await viewOf(context, ownRow(context, taskId, caller));
  const { last } = (await readTask(context.runner, taskId, caller.userId)) ?? {};
  return last ? { ...task, lastResult: await resultOf(context, last, caller) } : task;
}

/** The same as it was at a moment, without what was forgotten since. */
export async function pastTask(
  context: ServiceContext,
  taskId: string,
  caller: Caller,
  time: number,
): Promise<z.output<ReturnType<typeof taskWithResult>>> {
  const row = await ownRowAt(context, taskId, caller, time);
  const task = await viewOf(context, row);
  const runs = await lastRuns(context.store, row, RUNS_UNTIL_A_RESULT, time);
  const last = runs.find(({ endedAt }) => endedAt !== null);
  if (!last || last.endedAt === null) return task;
  const { endedAt: at, code, occurrenceId, attempts: attempt } = last;
  return { ...task, lastResult: await resultOf(context, { at, code, occurrenceId, attempt }, caller) };
}

interface Result {
  readonly at: number;
  readonly code: string | null;
  readonly occurrenceId: string;
  readonly attempt: number;
}

async function resultOf(
  { views }: ServiceContext,
  { at, code, occurrenceId, attempt }: Result,
  { userId }: Caller,
) {
  if (code !== null) return { at, status: 'failed' as const, code };
  const { notifications: told } = await views.of(notifications, userId);
  const text = told.find(({ notificationId }) => notificationId === `${occurrenceId}-${attempt}`)?.text;
  return { at, status: 'succeeded' as const, ...(text ? { text } : {}) };
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
