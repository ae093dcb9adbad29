import { HarkError } from '../../errors.ts';
import { type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import { nextAfter } from '../../recurrence.ts';
import { defineCommand } from '../command.ts';
import { over, unknownTask } from './changeStatus.ts';
import { occurrenceOf, type TaskState, taskState } from './state.ts';

interface FireTask {
  readonly taskId: string;
  /** What was due before this was missed: nobody was there to fire it. */
  readonly presentSince: number;
  /** Whether something acts on a topic. */
  readonly hasActor: (topic: string) => boolean;
}

/** A run that has not ended after this long will not. */
const LONGEST_RUN_MS = 24 * 60 * 60_000;
/** Later than this, an occurrence was missed whoever was there: the machine slept, or the log was away. */
const LATE_MS = 1_000;

/**
 * Whatever is due of a task: its next occurrence, or else another attempt at one that failed. Of several that ask,
 * in whatever processes, the first finds it due, and all others find nothing.
 */
export const fireTask = defineCommand<FireTask, TaskState | null>({
  name: 'scheduler.fireTask',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(task, input, { now }): SchedulerEvent[] {
    if (!task) return [];
    if (task.status === 'active' && task.nextRunAt !== null && task.nextRunAt <= now)
      return task.name === null && !task.textless ? [erased(task)] : [fire(task, task.nextRunAt, input, now)];
    return retry(task, now);
  },
});

function fire(
  task: TaskState,
  dueAt: number,
  { presentSince, hasActor }: FireTask,
  now: number,
): SchedulerEvent {
  const actable = hasActor(task.topic);
  const held = actable ? heldBy(task, now) : null;
  const data = {
    ...saidBy(task, dueAt),
    late: dueAt < presentSince || now - dueAt > LATE_MS,
    // Whatever else was missed is made up for by this one.
    nextRunAt: nextAfter(task.schedule, Math.max(now, dueAt), dueAt),
    acts: actable && held === null,
    held,
  };
  return { type: 'schedule.task.fired', data };
}

/** What an occurrence tells of its task. */
function saidBy({ taskId, topic, payload, madeBy, deviceId, sessionId, notify }: TaskState, dueAt: number) {
  return {
    taskId,
    occurrenceId: occurrenceOf(taskId, dueAt),
    topic,
    payload,
    madeBy,
    ...(deviceId === null ? {} : { deviceId }),
    ...(sessionId === null ? {} : { sessionId }),
    ...(notify === null ? {} : { notify }),
    dueAt,
  };
}

/**
 * An occurrence because the user wants one, of a task that is active or paused: when it is due next stays as it was.
 * It does not wait after a failure, and takes the place of another attempt at one that failed.
 */
export const runTask = defineCommand<Pick<FireTask, 'taskId' | 'hasActor'>, TaskState | null>({
  name: 'scheduler.runTask',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(task, { hasActor }, { now }): SchedulerEvent[] {
    if (!task) throw unknownTask();
    const { status, name, textless, nextRunAt, topic } = task;
    if (status !== 'active' && status !== 'paused') throw over(status);
    if (name === null && !textless) throw over('erased');
    if (isUnderWay(task, now)) throw new HarkError('CONFLICT', { message: 'It is under way at the moment' });
    const acts = hasActor(topic);
    const data = { ...saidBy(task, now), asked: true, late: false, nextRunAt, acts, held: null } as const;
    return [{ type: 'schedule.task.fired', data }];
  },
});

function heldBy(task: TaskState, now: number): 'overlap' | 'back-off' | null {
  if (isUnderWay(task, now)) return 'overlap';
  return task.retry && task.retry.at > now ? 'back-off' : null;
}

function isUnderWay({ running }: TaskState, now: number): boolean {
  return running !== null && now - running.since < LONGEST_RUN_MS;
}

function retry({ taskId, retry, running }: TaskState, now: number): SchedulerEvent[] {
  if (!retry || running || retry.at > now) return [];
  const { occurrenceId, attempt } = retry;
  return [{ type: 'schedule.run.retried', data: { taskId, occurrenceId, attempt } }];
}

/** Without what it was to say, a task says nothing. */
function erased({ taskId }: TaskState): SchedulerEvent {
  return { type: 'schedule.task.cancelled', data: { taskId, because: 'erased' } };
}
