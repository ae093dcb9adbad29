import type { SchedulerEvent } from '../../events/scheduler.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { TaskStatus } from '../../vocabulary.ts';

/** Of a task, all that changes and nothing that is personal. */
export interface TaskRow {
  readonly taskId: string;
  readonly userId: string;
  /** Where it was created: tasks are in this order. */
  readonly position: number;
  readonly createdAt: number;
  status: TaskStatus;
  nextRunAt: number | null;
  retryAt: number | null;
  lastRunAt: number | null;
  runCount: number;
  failures: number;
}

/** A row without the names of its fields: there may be many. */
type SavedRow = [
  taskId: string,
  userId: string,
  position: number,
  createdAt: number,
  status: TaskStatus,
  nextRunAt: number | null,
  retryAt: number | null,
  lastRunAt: number | null,
  runCount: number,
  failures: number,
];

interface SavedTasks {
  readonly rows: readonly SavedRow[];
  readonly latest: number;
}

function isSaved(state: unknown): state is SavedTasks {
  return typeof state === 'object' && state !== null && 'rows' in state && 'latest' in state;
}

/** Tasks by their ids, and each user's in the order in which they were made. */
export class TaskTable {
  readonly byId = new Map<string, TaskRow>();
  readonly byUser = new Map<string, TaskRow[]>();
  /** The latest moment at which anything happened to one of them. */
  latest = 0;

  /** Of what `toJSON` gave. */
  static from(state: unknown): TaskTable {
    if (!isSaved(state)) throw new TypeError('Not a table of tasks');
    const table = new TaskTable();
    const { rows, latest } = state;
    table.latest = latest;
    for (const [taskId, userId, position, createdAt, status, next, retry, last, runCount, failures] of rows) {
      const times = { nextRunAt: next, retryAt: retry, lastRunAt: last };
      table.#add({ taskId, userId, position, createdAt, status, ...times, runCount, failures });
    }
    return table;
  }

  toJSON(): SavedTasks {
    const rows = Array.from(this.byId.values(), (row): SavedRow => {
      const { taskId, userId, position, createdAt, status, nextRunAt, retryAt, lastRunAt } = row;
      const { runCount, failures } = row;
      return [taskId, userId, position, createdAt, status, nextRunAt, retryAt, lastRunAt, runCount, failures];
    });
    return { rows, latest: this.latest };
  }

  apply(event: SchedulerEvent, { position, at, userId }: StoredEvent): void {
    this.latest = Math.max(this.latest, at);
    if (event.type !== 'schedule.task.created') {
      const row = this.byId.get(event.data.taskId);
      if (row) change(row, event, at);
      return;
    }
    const { taskId, nextRunAt } = event.data;
    const times = { createdAt: at, nextRunAt, retryAt: null, lastRunAt: null };
    const begun = { status: 'active', runCount: 0, failures: 0 } as const;
    this.#add({ taskId, userId: userId ?? '', position, ...times, ...begun });
  }

  #add(row: TaskRow): void {
    this.byId.set(row.taskId, row);
    const own = this.byUser.get(row.userId);
    if (own) own.push(row);
    else this.byUser.set(row.userId, [row]);
  }
}

function change(row: TaskRow, { type, data }: SchedulerEvent, at: number): void {
  switch (type) {
    case 'schedule.task.fired':
      row.nextRunAt = data.nextRunAt;
      row.lastRunAt = at;
      row.runCount++;
      if (data.acts) row.retryAt = null;
      if (data.nextRunAt === null) row.status = 'completed';
      break;
    case 'schedule.task.replanned':
      row.nextRunAt = data.nextRunAt;
      break;
    case 'schedule.task.resumed':
      row.status = 'active';
      row.nextRunAt = data.nextRunAt;
      row.failures = 0;
      break;
    case 'schedule.task.paused':
      end(row, 'paused');
      break;
    case 'schedule.task.cancelled':
      end(row, 'cancelled');
      break;
    case 'schedule.task.failed':
      end(row, 'failed');
      break;
    case 'schedule.run.retried':
      row.retryAt = null;
      break;
    case 'schedule.run.succeeded':
      row.failures = 0;
      break;
    case 'schedule.run.failed':
      row.retryAt = data.retryAt;
      row.failures = data.failures;
      break;
  }
}

/** For now, or for good: nothing is due. */
function end(row: TaskRow, status: TaskStatus): void {
  row.status = status;
  row.nextRunAt = null;
  row.retryAt = null;
}
