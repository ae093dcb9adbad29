import { readSchedulerEvent, schedulerEvents, taskDescribed } from '../../events/scheduler.ts';
import { defineProjection } from '../projection.ts';
import type { Views } from '../runtime.ts';
import { type TaskRow, TaskTable } from './taskTable.ts';

/** So many that each is saved within some milliseconds also when there are a hundred thousand tasks. */
const PARTS = 16;

/** All tasks: when they are due, and how it went so far. */
export const tasks = defineProjection<TaskTable>({
  name: 'scheduler.tasks',
  version: 1,
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
  const lists = views.parts(tasks).flatMap(({ byUser }) => {
    const own = byUser.get(userId);
    return own ? [{ own, next: before === undefined ? own.length - 1 : lastBefore(own, before) }] : [];
  });
  const rows: TaskRow[] = [];
  for (;;) {
    let newest: TaskRow | undefined;
    let from: (typeof lists)[number] | undefined;
    for (const list of lists) {
      const row = list.own[list.next];
      if (!row || (newest && newest.position > row.position)) continue;
      newest = row;
      from = list;
    }
    if (!newest || !from) return { rows, more: false };
    from.next--;
    if (!isWanted(newest)) continue;
    if (rows.length === limit) return { rows, more: true };
    rows.push(newest);
  }
}

/** Undefined also for a task of somebody else. */
export function rowOf(views: Views, userId: string, taskId: string): TaskRow | undefined {
  const part = views.parts(tasks)[hashOf(`task-${taskId}`) % PARTS];
  const row = part?.byId.get(taskId);
  return row?.userId === userId ? row : undefined;
}

/** The index of the last row that was created before this position; -1 when there is none. */
function lastBefore(rows: readonly TaskRow[], position: number): number {
  let least = 0;
  let most = rows.length;
  while (least < most) {
    const middle = (least + most) >> 1;
    if ((rows[middle]?.position ?? 0) < position) least = middle + 1;
    else most = middle;
  }
  return least - 1;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
