import { HarkError } from '../../errors.ts';
import type { SchedulerEvent } from '../../events/scheduler.ts';
import { nextAfter, type Schedule } from '../../recurrence.ts';
import { defineCommand } from '../command.ts';
import { invalidSchedule } from './invalidSchedule.ts';
import { type TaskState, taskState, taskStream } from './state.ts';

export interface CreateTask {
  readonly taskId: string;
  readonly name: string;
  readonly schedule: Schedule;
  readonly topic: string;
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** The task in whose run this is asked for; undefined when nothing scheduled asks. */
  readonly parent?: Parent | undefined;
}

export interface Parent {
  readonly generation: number;
  /** How many active tasks of the user runs have made. */
  readonly offspring: number;
}

/** Whoever asks for «now» names a moment that is past when the request arrives. */
const JUST_NOW_MS = 1_000;
/** A task that sets off the next after this long may go on for ever. */
const QUICK_MS = 60 * 60_000;
const MOST_GENERATIONS = 10;
/** What comes again and again, and makes more of its kind each time, would be thousands within a minute. */
const MOST_OFFSPRING = 100;

export const createTask = defineCommand<CreateTask, TaskState | null>({
  name: 'scheduler.createTask',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(task, { taskId, name, schedule, topic, payload, parent }, { now }): SchedulerEvent[] {
    if (task) throw new HarkError('CONFLICT', { message: 'A task with this id exists' });
    const nextRunAt = firstRun(schedule, now);
    const generation = parent === undefined || nextRunAt - now >= QUICK_MS ? 0 : parent.generation + 1;
    if (generation > MOST_GENERATIONS)
      throw new HarkError('SCHEDULE_CIRCLE', {
        message: `${MOST_GENERATIONS} tasks in quick succession led to this one; it has to be an hour off at least`,
      });
    if (parent !== undefined && parent.offspring >= MOST_OFFSPRING)
      throw new HarkError('SCHEDULE_CIRCLE', {
        message: `${MOST_OFFSPRING} active tasks were made in runs of tasks; one of them has to be over first`,
      });
    const byRun = parent === undefined ? {} : { byRun: true as const };
    return [
      { type: 'schedule.task.created', data: { taskId, schedule, topic, nextRunAt, generation, ...byRun } },
      { type: 'schedule.task.described', data: { taskId, name, payload } },
    ];
  },
});

function firstRun(schedule: Schedule, now: number): number {
  if (schedule.type === 'once') {
    if (schedule.atTimestamp < now - JUST_NOW_MS) throw invalidSchedule('"atTimestamp" is in the past');
    return schedule.atTimestamp;
  }
  const next = nextAfter(schedule, now, now);
  if (next === null) throw invalidSchedule('The schedule is never due');
  return next;
}
