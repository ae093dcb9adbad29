import { HarkError } from '../../errors.ts';
import { type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import { isWithinAMinute, nextAfter, type Schedule } from '../../recurrence.ts';
import type { TaskMaker } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { invalidSchedule } from './invalidSchedule.ts';
import { type TaskState, taskState } from './state.ts';

export interface CreateTask {
  readonly taskId: string;
  readonly name: string;
  readonly schedule: Schedule;
  /** The first time of an interval, where that is not an interval from now. */
  readonly firstAt?: number | undefined;
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** Where it is said; nowhere, where it is not given. */
  readonly sessionId?: string | undefined;
  /** By which channels it is told as well; by all of the user's, where it is not given. */
  readonly notify?: readonly string[] | undefined;
  /** Set where it is not the user who makes it: who does, and how many active tasks of the user others have made. */
  readonly notByUser?: { readonly maker: Exclude<TaskMaker, 'user'>; readonly active: number } | undefined;
  /** By which the user, or a model for them, asks. */
  readonly deviceId?: string | undefined;
  /** Of the task in whose run this is asked for; undefined when nothing scheduled asks. */
  readonly parentGeneration?: number | undefined;
}

/** Whoever asks for «now» names a moment that is past when the request arrives. */
const JUST_NOW_MS = 1_000;
/** A task that sets off the next after this long may go on for ever. */
const QUICK_MS = 60 * 60_000;
const MOST_GENERATIONS = 10;
/** What comes again and again, and makes more of its kind each time, would be thousands within a minute. */
const MOST_BY_OTHERS = 100;

export const createTask = defineCommand<CreateTask, TaskState | null>({
  name: 'scheduler.createTask',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(task, input, { now }): SchedulerEvent[] {
    const { taskId, name, schedule, firstAt, topic, payload } = input;
    const { sessionId, notify, notByUser, deviceId, parentGeneration } = input;
    const madeBy: TaskMaker = notByUser?.maker ?? 'user';
    if (task) throw new HarkError('CONFLICT', { message: 'A task with this id exists' });
    const nextRunAt = firstRun(schedule, firstAt, now);
    if (notByUser) refuseTooMuch(schedule, notByUser.active);
    const isFirst = parentGeneration === undefined || nextRunAt - now >= QUICK_MS;
    const generation = isFirst ? 0 : parentGeneration + 1;
    if (generation > MOST_GENERATIONS)
      throw new HarkError('SCHEDULE_CIRCLE', {
        message: `${MOST_GENERATIONS} tasks in quick succession led to this one; it must be at least an hour away`,
      });
    const where = {
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(notify === undefined ? {} : { notify }),
      ...(deviceId === undefined ? {} : { deviceId }),
    };
    const textless = payload === null ? ({ textless: true } as const) : {};
    const data = { taskId, schedule, topic, nextRunAt, generation, madeBy, ...textless, ...where };
    return [
      { type: 'schedule.task.created', data },
      { type: 'schedule.task.described', data: { taskId, name, payload } },
    ];
  },
});

/** Nobody watches what others than the user make. */
function refuseTooMuch(schedule: Schedule, active: number): void {
  if (isWithinAMinute(schedule))
    throw invalidSchedule('Only the user may have a task run more than once a minute');
  if (active >= MOST_BY_OTHERS)
    throw new HarkError('SCHEDULE_CIRCLE', {
      message: `${MOST_BY_OTHERS} active tasks were not created by the user; one of them must end first`,
    });
}

export function firstRun(schedule: Schedule, firstAt: number | undefined, now: number): number {
  if (schedule.type === 'interval' && firstAt !== undefined) return firstAt;
  if (schedule.type === 'once') {
    if (schedule.atTimestamp < now - JUST_NOW_MS) throw invalidSchedule('"atTimestamp" is in the past');
    return schedule.atTimestamp;
  }
  const next = nextAfter(schedule, now, now);
  if (next === null) throw invalidSchedule('The schedule is never due');
  return next;
}
