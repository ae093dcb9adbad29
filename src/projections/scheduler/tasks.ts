import { readSchedulerEvent, schedulerEvents, taskDescribed } from '../../events/scheduler.ts';
import { defineProjection } from '../projection.ts';
import type { Views } from '../runtime.ts';
import { type TaskRow, TaskTable } from './taskTable.ts';

/** So many that each is saved within some milliseconds also when there are a hundred thousand tasks. */
const PARTS = 16;

/** All tasks: when they are due, and how it went so far. */
export const tasks = defineProjection<TaskTable>({
  name: 'scheduler.tasks',
  version: 2,
  handles: schedulerEvents.map(({ type }) => type).filter((type) => type !== taskDescribed.type),
  initial: () => new TaskTable(),
  revive: TaskTable.from,
  parts: { count: PARTS, of: ({ stream }) => hashOf(stream) },
  apply(table, stored) {
    const event = readSchedulerEvent(stored);
    if (event) table.apply(event, stored);
  },
});

export interface TaskPage {
  readonly rows: readonly TaskRow[];
  /** Whether there are more after these. */
  readonly more: boolean;
}

interface PageWanted {
  readonly limit: number;
  /** Only those that were created before the one at this position. */
  readonly before?: number | undefined;
  isWanted(row: TaskRow): boolean;
}

/** A user's tasks, newest first. */
export function pageOf(views: Views, userId: string, { limit, before, isWanted }: PageWanted): TaskPage {
  const lists = views.parts(tasks).map((table) => new Backwards(table, userId, before));
  const rows: TaskRow[] = [];
  for (;;) {
    const newest = lists.reduce((one, other) => (other.position > one.position ? other : one));
    if (newest.position < 0) return { rows, more: false };
    const row = newest.take();
    if (!isWanted(row)) continue;
    if (rows.length === limit) return { rows, more: true };
    rows.push(row);
  }
}

/** A user's tasks in one table, from the newest on, or from the newest before a position. */
class Backwards {
  readonly #table: TaskTable;
  readonly #own: readonly number[];
  #next: number;

  constructor(table: TaskTable, userId: string, before = Number.POSITIVE_INFINITY) {
    this.#table = table;
    this.#own = table.tasksOf(userId);
    let least = 0;
    let most = this.#own.length;
    while (least < most) {
      const middle = (least + most) >> 1;
      if (table.position(this.#own[middle] ?? 0) < before) least = middle + 1;
      else most = middle;
    }
    this.#next = least - 1;
  }

  /** Of the next one; below zero when there is none. */
  get position(): number {
    const index = this.#own[this.#next];
    return index === undefined ? -1 : this.#table.position(index);
  }

  take(): TaskRow {
    return this.#table.row(this.#own[this.#next--] ?? 0);
  }
}

/** All of a user's tasks as they are now. */
export function tasksOf(views: Views, userId: string): readonly TaskRow[] {
  return views.parts(tasks).flatMap((table) => table.tasksOf(userId).map((index) => table.row(index)));
}

/** How many active tasks of a user runs have made. */
export function offspringOf(views: Views, userId: string): number {
  return views.parts(tasks).reduce((sum, table) => sum + table.offspringOf(userId), 0);
}

export function findTask(views: Pick<Views, 'parts'>, taskId: string): TaskRow | undefined {
  return views.parts(tasks)[hashOf(`task-${taskId}`) % PARTS]?.find(taskId);
}

/** Undefined also for a task of somebody else. */
export function rowOf(views: Views, userId: string, taskId: string): TaskRow | undefined {
  const row = findTask(views, taskId);
  return row?.userId === userId ? row : undefined;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
