import type { SchedulerEvent } from '../../events/scheduler.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { type TaskMaker, type TaskStatus, taskMakers, taskStatuses } from '../../vocabulary.ts';
import { TaskIds } from './taskIds.ts';

/** Of a task, all that changes and nothing that is personal, as it is at the moment. */
export interface TaskRow {
  readonly taskId: string;
  readonly userId: string;
  /** Where it was created: tasks are in this order. */
  readonly position: number;
  readonly createdAt: number;
  readonly status: TaskStatus;
  readonly nextRunAt: number | null;
  readonly retryAt: number | null;
  readonly lastRunAt: number | null;
  readonly runCount: number;
  readonly failures: number;
  readonly madeBy: TaskMaker;
}

/** Places of the numbers of a row. A time that is not is zero. */
const at = {
  position: 0,
  createdAt: 1,
  nextRunAt: 2,
  retryAt: 3,
  lastRunAt: 4,
  runCount: 5,
  failures: 6,
  status: 7,
  user: 8,
  madeBy: 9,
} as const;
type Field = keyof typeof at;
const WIDTH = Object.keys(at).length;
const FIRST_ROOM = 64;

/** A user who has tasks: where they are noted, and where their tasks are. */
interface Owner {
  readonly userId: string;
  readonly place: number;
  readonly tasks: number[];
}

interface SavedTasks {
  readonly latest: number;
  readonly taskIds: string;
  readonly users: readonly string[];
  /** Base64 of the rows, one after the other. */
  readonly numbers: string;
}

/**
 * Tasks in the order in which they were made, each user's among them. There may be a hundred thousand, so their
 * numbers lie in one array and not in as many objects: that is a third of the memory, and read back at once.
 */
export class TaskTable {
  #taskIds = new TaskIds();
  readonly #owners: Owner[] = [];
  readonly #byUser = new Map<string, Owner>();
  #numbers = new Float64Array(FIRST_ROOM * WIDTH);
  /** The latest moment at which anything happened to one of them. */
  latest = 0;

  /** Of what `toJSON` gave. */
  static from(state: unknown): TaskTable {
    if (!isSaved(state)) throw new TypeError('Not a table of tasks');
    const table = new TaskTable();
    const { latest, taskIds, users, numbers } = state;
    table.latest = latest;
    // Copied, since what is decoded may begin anywhere in a buffer that others share.
    table.#numbers = new Float64Array(new Uint8Array(Buffer.from(numbers, 'base64')).buffer);
    for (const user of users) table.#ownerNamed(user);
    table.#taskIds = TaskIds.from(taskIds);
    for (let index = 0; index < table.size; index++)
      table.#owners[table.#number(index, 'user')]?.tasks.push(index);
    return table;
  }

  toJSON(): SavedTasks {
    const { buffer, byteOffset } = this.#numbers;
    const used = Buffer.from(buffer, byteOffset, this.size * WIDTH * Float64Array.BYTES_PER_ELEMENT);
    const numbers = used.toString('base64');
    const users = this.#owners.map(({ userId }) => userId);
    return { latest: this.latest, taskIds: this.#taskIds.toString(), users, numbers };
  }

  get size(): number {
    return this.#taskIds.size;
  }

  find(taskId: string): TaskRow | undefined {
    const index = this.#taskIds.find(taskId);
    return index === undefined ? undefined : this.row(index);
  }

  /** A user's tasks, as they are counted here. */
  tasksOf(userId: string): readonly number[] {
    return this.#byUser.get(userId)?.tasks ?? [];
  }

  row(index: number): TaskRow {
    return {
      taskId: this.#taskIds.at(index),
      userId: this.#owners[this.#number(index, 'user')]?.userId ?? '',
      position: this.#number(index, 'position'),
      createdAt: this.#number(index, 'createdAt'),
      status: this.status(index),
      nextRunAt: this.#number(index, 'nextRunAt') || null,
      retryAt: this.#number(index, 'retryAt') || null,
      lastRunAt: this.#number(index, 'lastRunAt') || null,
      runCount: this.#number(index, 'runCount'),
      failures: this.#number(index, 'failures'),
      madeBy: taskMakers[this.#number(index, 'madeBy')] ?? 'user',
    };
  }

  /** How many active tasks of a user others have made. */
  madeByOthersFor(userId: string): number {
    const active = taskStatuses.indexOf('active');
    const user = taskMakers.indexOf('user');
    const isOne = (index: number) =>
      this.#number(index, 'madeBy') !== user && this.#number(index, 'status') === active;
    return this.tasksOf(userId).filter(isOne).length;
  }

  status(index: number): TaskStatus {
    return taskStatuses[this.#number(index, 'status')] ?? 'active';
  }

  position(index: number): number {
    return this.#number(index, 'position');
  }

  /** Whenever one of them is to be looked at, after the one moment and up to the other. */
  eachDue(after: number, until: number, told: (at: number, taskId: string) => void): void {
    for (let index = 0; index < this.size; index++) {
      for (const field of ['nextRunAt', 'retryAt'] as const) {
        const due = this.#number(index, field);
        if (due !== 0 && due > after && due <= until) told(due, this.#taskIds.at(index));
      }
    }
  }

  apply(event: SchedulerEvent & StoredEvent): void {
    const { position, at: createdAt } = event;
    this.latest = Math.max(this.latest, createdAt);
    const { taskId } = event.data;
    if (event.type !== 'schedule.task.created') {
      const index = this.#taskIds.find(taskId);
      if (index !== undefined) this.#change(index, event, createdAt);
      return;
    }
    const index = this.size;
    this.#makeRoom(index);
    const { nextRunAt, madeBy } = event.data;
    this.#put(index, 'position', position);
    this.#put(index, 'createdAt', createdAt);
    this.#put(index, 'nextRunAt', nextRunAt);
    const owner = this.#ownerNamed(event.owner);
    this.#put(index, 'user', owner.place);
    owner.tasks.push(index);
    this.#put(index, 'madeBy', taskMakers.indexOf(madeBy));
    this.#taskIds.add(taskId);
  }

  #change(index: number, { type, data }: SchedulerEvent, now: number): void {
    switch (type) {
      case 'schedule.task.fired':
        this.#put(index, 'lastRunAt', now);
        this.#put(index, 'runCount', this.#number(index, 'runCount') + 1);
        if (data.acts) this.#put(index, 'retryAt', 0);
        if (data.asked) break;
        this.#put(index, 'nextRunAt', data.nextRunAt ?? 0);
        if (data.nextRunAt === null) this.#putStatus(index, 'completed');
        break;
      case 'schedule.task.replanned':
        this.#put(index, 'nextRunAt', data.nextRunAt);
        break;
      case 'schedule.task.resumed':
        this.#putStatus(index, 'active');
        this.#put(index, 'nextRunAt', data.nextRunAt);
        this.#put(index, 'failures', 0);
        break;
      case 'schedule.task.paused':
        this.#end(index, 'paused');
        break;
      case 'schedule.task.cancelled':
        this.#end(index, 'cancelled');
        break;
      case 'schedule.task.failed':
        this.#end(index, 'failed');
        break;
      case 'schedule.run.retried':
        this.#put(index, 'retryAt', 0);
        break;
      case 'schedule.run.succeeded':
        this.#put(index, 'failures', 0);
        break;
      case 'schedule.run.failed':
        this.#put(index, 'retryAt', data.retryAt ?? 0);
        this.#put(index, 'failures', data.failures);
        break;
    }
  }

  /** For now, or for good: nothing is due. */
  #end(index: number, status: TaskStatus): void {
    this.#putStatus(index, status);
    this.#put(index, 'nextRunAt', 0);
    this.#put(index, 'retryAt', 0);
  }

  #putStatus(index: number, status: TaskStatus): void {
    this.#put(index, 'status', taskStatuses.indexOf(status));
  }

  #number(index: number, field: Field): number {
    return this.#numbers[index * WIDTH + at[field]] ?? 0;
  }

  #put(index: number, field: Field, value: number): void {
    this.#numbers[index * WIDTH + at[field]] = value;
  }

  #makeRoom(index: number): void {
    if ((index + 1) * WIDTH <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(FIRST_ROOM, Math.ceil(index * 1.5)) * WIDTH);
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  #ownerNamed(userId: string): Owner {
    const earlier = this.#byUser.get(userId);
    if (earlier) return earlier;
    const owner = { userId, place: this.#owners.length, tasks: [] };
    this.#owners.push(owner);
    this.#byUser.set(userId, owner);
    return owner;
  }
}

function isSaved(state: unknown): state is SavedTasks {
  return typeof state === 'object' && state !== null && 'taskIds' in state && 'numbers' in state;
}
