import { schedulerEvents, taskDescribed } from '../../events/scheduler.ts';
import type { TaskStatus } from '../../vocabulary.ts';
import { defineProjection } from '../projection.ts';
import type { Views } from '../runtime.ts';
import { type TaskRow, TaskTable } from './taskTable.ts';

/** So many that each is saved within some milliseconds also when there are a hundred thousand tasks. */
const PARTS = 16;

/** All tasks: when they are due, and how it went so far. */
export const tasks = defineProjection({
  name: 'scheduler.tasks',
  version: 4,
  handles: schedulerEvents.filter((definition) => definition !== taskDescribed),
  initial: (): TaskTable => new TaskTable(),
  revive: TaskTable.from,
  parts: { count: PARTS, of: ({ stream }) => hashOf(stream) },
  apply: (table, event) => table.apply(event),
});

interface TasksWanted {
  /** Only those that were created before the one at this position. */
  readonly before?: number | undefined;
  /** Of all of them, if nothing is said. */
  isWanted?(status: TaskStatus): boolean;
}

/** A user's tasks, newest first. Each is as it is when it is asked for, also if others have their turn in between. */
export function* newestFirst(
  tables: readonly TaskTable[],
  userId: string,
  { before, isWanted = () => true }: TasksWanted,
): Generator<TaskRow> {
  const lists = tables.map((table) => new Backwards(table, userId, isWanted, before));
  for (;;) {
    const newest = lists.reduce((one, other) => (other.position > one.position ? other : one));
    if (newest.position < 0) return;
    yield newest.take();
  }
}

/** How many tasks a user has; of a hundred thousand that is known, and those of a status have to be counted. */
export function countOf(
  tables: readonly TaskTable[],
  userId: string,
  isWanted?: (status: TaskStatus) => boolean,
): number {
  if (!isWanted) return tables.reduce((sum, table) => sum + table.tasksOf(userId).length, 0);
  const wanted = (table: TaskTable) =>
    table.tasksOf(userId).reduce((sum, index) => sum + Number(isWanted(table.status(index))), 0);
  return tables.reduce((sum, table) => sum + wanted(table), 0);
}

/** A user's tasks in one table, from the newest on, or from the newest before a position. */
class Backwards {
  readonly #table: TaskTable;
  readonly #own: readonly number[];
  readonly #isWanted: (status: TaskStatus) => boolean;
  #next: number;

  constructor(
    table: TaskTable,
    userId: string,
    isWanted: (status: TaskStatus) => boolean,
    before = Number.POSITIVE_INFINITY,
  ) {
    this.#table = table;
    this.#own = table.tasksOf(userId);
    this.#isWanted = isWanted;
    let least = 0;
    let most = this.#own.length;
    while (least < most) {
      const middle = (least + most) >> 1;
      if (table.position(this.#own[middle] ?? 0) < before) least = middle + 1;
      else most = middle;
    }
    this.#next = least;
    this.#seek();
  }

  /** Of the next one; below zero when there is none. */
  get position(): number {
    const index = this.#own[this.#next];
    return index === undefined ? -1 : this.#table.position(index);
  }

  take(): TaskRow {
    const row = this.#table.row(this.#own[this.#next] ?? 0);
    this.#seek();
    return row;
  }

  #seek(): void {
    do this.#next--;
    while (this.#next >= 0 && !this.#isWanted(this.#table.status(this.#own[this.#next] ?? 0)));
  }
}

/** All of a user's tasks as they are now. */
export function tasksOf(views: Views, userId: string): readonly TaskRow[] {
  return views.parts(tasks).flatMap((table) => rowsOf(table, userId));
}

/** A user's tasks in one table. */
export function rowsOf(table: TaskTable, userId: string): readonly TaskRow[] {
  return table.tasksOf(userId).map((index) => table.row(index));
}

/** How many active tasks of a user others have made. */
export function madeByOthersFor(views: Views, userId: string): number {
  return views.parts(tasks).reduce((sum, table) => sum + table.madeByOthersFor(userId), 0);
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
