import type { PastEvent } from '../../events/definition.ts';
import { readSchedulerEvent, type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import type { StreamFold } from '../../folds/streamFold.ts';
import type { Schedule } from '../../recurrence.ts';
import type { TaskMaker, TaskStatus } from '../../vocabulary.ts';
import type { CommandRunner } from '../runner.ts';

interface Run {
  readonly occurrenceId: string;
  readonly attempt: number;
}

export interface TaskState {
  readonly taskId: string;
  readonly schedule: Schedule;
  readonly topic: string;
  readonly madeBy: TaskMaker;
  readonly deviceId: string | null;
  /** Nothing of what it publishes can be erased. */
  readonly textless: boolean;
  readonly sessionId: string | null;
  readonly notify: readonly string[] | null;
  /** Null when it was erased; the payload then too. */
  readonly name: string | null;
  readonly payload: Readonly<Record<string, unknown>> | null;
  readonly status: TaskStatus;
  readonly nextRunAt: number | null;
  /** When the last occurrence was due. */
  readonly lastDueAt: number | null;
  /** What acts on an occurrence at the moment. */
  readonly running: (Run & { readonly since: number }) | null;
  /** What is to be tried again. */
  readonly retry: (Run & { readonly at: number }) | null;
  /** In a row. */
  readonly failures: number;
  /** How the last attempt ended; why, where it failed. */
  readonly last: (Run & { readonly at: number; readonly code: string | null }) | null;
}

/** Null while there is none. */
export const taskState: StreamFold<TaskState | null> = {
  name: 'task',
  version: 7,
  initial: null,
  evolve(state, past) {
    const event = readSchedulerEvent(past);
    if (!event) return state;
    if (event.type === 'schedule.task.created') return begun(event.data);
    return state && evolveTask(state, event, past);
  },
};

/** As it would be decided on now. */
export function readTask(
  runner: Pick<CommandRunner, 'read'>,
  taskId: string,
  userId: string,
): Promise<TaskState | null> {
  return runner.read(taskState, taskStream(taskId), userId);
}

/** Names one time at which a task was due. */
export function occurrenceOf(taskId: string, dueAt: number): string {
  return `${taskId}-${dueAt}`;
}

function begun({
  taskId,
  schedule,
  topic,
  madeBy,
  deviceId,
  textless,
  sessionId,
  notify,
  nextRunAt,
}: (SchedulerEvent & { type: 'schedule.task.created' })['data']): TaskState {
  return {
    taskId,
    schedule,
    topic,
    madeBy,
    deviceId: deviceId ?? null,
    textless: textless === true,
    sessionId: sessionId ?? null,
    notify: notify ?? null,
    name: null,
    payload: null,
    status: 'active',
    nextRunAt,
    lastDueAt: null,
    running: null,
    retry: null,
    failures: 0,
    last: null,
  };
}

function evolveTask(task: TaskState, { type, data }: SchedulerEvent, { at }: PastEvent): TaskState {
  switch (type) {
    case 'schedule.task.described':
      return { ...task, name: data.name, payload: data.payload };
    case 'schedule.task.fired':
      return fired(task, data, at);
    case 'schedule.task.replanned':
      return { ...task, nextRunAt: data.nextRunAt };
    case 'schedule.task.paused':
      return { ...task, status: 'paused', nextRunAt: null, retry: null };
    case 'schedule.task.resumed':
      return { ...task, status: 'active', nextRunAt: data.nextRunAt, failures: 0 };
    case 'schedule.task.cancelled':
      return { ...task, status: 'cancelled', nextRunAt: null, retry: null };
    case 'schedule.task.failed':
      return { ...task, status: 'failed', nextRunAt: null, retry: null };
    case 'schedule.run.retried':
      return { ...task, retry: null, running: { ...runOf(data), since: at } };
    case 'schedule.run.succeeded':
      return { ...task, running: null, failures: 0, last: { ...runOf(data), at, code: null } };
    case 'schedule.run.failed': {
      const { retryAt: next, failures } = data;
      const retry = next === null ? null : { ...runOf(data), attempt: data.attempt + 1, at: next };
      const last = { ...runOf(data), at, code: data.code };
      return { ...task, running: null, retry, failures, last };
    }
    default:
      return task;
  }
}

function fired(
  task: TaskState,
  { occurrenceId, dueAt, nextRunAt, acts, asked }: (SchedulerEvent & { type: 'schedule.task.fired' })['data'],
  at: number,
): TaskState {
  const begins = acts ? { running: { occurrenceId, attempt: 1, since: at }, retry: null } : {};
  if (asked) return { ...task, ...begins };
  return {
    ...task,
    status: nextRunAt === null ? 'completed' : task.status,
    nextRunAt,
    lastDueAt: dueAt,
    ...begins,
  };
}

function runOf({ occurrenceId, attempt }: Run): Run {
  return { occurrenceId, attempt };
}
