import { z } from 'zod';
import type { HabitsOf } from '../../application/timeHabits.ts';
import type { TopicActors } from '../../application/topicActors.ts';
import type { Clock } from '../../clock.ts';
import { firstRun } from '../../commands/scheduler/createTask.ts';
import { runTask } from '../../commands/scheduler/fireTask.ts';
import { lazily } from '../../lazily.ts';
import { detailsOf } from '../../projections/scheduler/taskDetails.ts';
import { lastRuns } from '../../projections/scheduler/taskRuns.ts';
import { nextTimes } from '../../recurrence.ts';
import { timeInWords } from '../../zonedTime.ts';
import { type Kvstore, type ServiceContext, whileThere } from '../kvstore.ts';
import { type AnyOperation, defineOperation, id, moment, written } from '../operation.ts';
import { habitsAsked, toldWhen, whenInput, whenOf } from './scheduleInput.ts';
import { TASKS as path } from './scheduling.ts';
import { schedule, taskWithResult } from './taskShapes.ts';
import { ownRow, ownRowAt, shownTask } from './taskViews.ts';

const area = 'scheduler';
const invalidId = 'Invalid task ID format';
const MOST_TIMES = 20;

const run = lazily(() =>
  z.object({
    occurrenceId: z.string(),
    at: z.number(),
    dueAt: z.number(),
    late: z.boolean(),
    asked: z.boolean().describe('It was not due: the user wanted it then'),
    state: z
      .enum(['published', 'held', 'running', 'succeeded', 'failed'])
      .describe('`published`: nothing acts on its topic; `held`: an earlier run was in the way'),
    attempts: z.int(),
    endedAt: z.number().nullable(),
    code: z.string().nullable().describe('Why the last attempt failed'),
    retryAt: z.number().nullable(),
  }),
);
const times = lazily(() => z.array(z.number()).readonly().describe('Unix ms'));

interface TaskRunsOptions {
  readonly kvstore: Kvstore;
  readonly actors: TopicActors;
  readonly clock: Clock;
  readonly habitsOf: HabitsOf;
}

/** When tasks ran and will run, and a run that somebody wants now. */
export function taskRuns({ kvstore, actors, clock, habitsOf }: TaskRunsOptions): readonly AnyOperation[] {
  const there = <Result>(work: (context: ServiceContext) => Promise<Result>) =>
    whileThere(kvstore, 'SCHEDULER_UNAVAILABLE', work);
  return [
    defineOperation({
      name: 'scheduler.preview',
      area,
      device: 'trust2',
      summary: 'When something would run that is scheduled like this',
      description:
        'Takes what `POST /api/scheduler/tasks` takes to say when, and creates nothing. `when` is the first time, ' +
        'in the zone that was named, else in that of the user, and `notes` what could have been meant otherwise.',
      rest: { method: 'POST', path: '/api/scheduler/preview' },
      input: () => whenInput().extend({ count: z.int().min(1).max(MOST_TIMES).default(5) }),
      output: () =>
        z.object({
          schedule: schedule(),
          times: times(),
          when: z.string(),
          notes: z.array(z.string()).readonly(),
        }),
      errors: ['SCHEDULE_INVALID'],
      example: { input: { every: 'weekdays at 7:30', timezone: 'Europe/Berlin', count: 3 } },
      async run({ count, ...input }, { userId }) {
        const habits = habitsAsked(input, await habitsOf(userId));
        const now = clock();
        const understood = await whenOf(input, now, habits);
        const { schedule, firstAt, notes } = understood;
        const first = firstRun(schedule, firstAt, now);
        const when = await toldWhen(understood, timeInWords(first, habits), habits);
        return { schedule, times: nextTimes(schedule, first, count), when, notes };
      },
    }),
    defineOperation({
      name: 'scheduler.runs',
      area,
      device: 'trust2',
      summary: 'The last runs of a task, newest first, and the next times at which it is due',
      rest: { method: 'GET', path: `${path}/:taskId/runs`, invalidId },
      input: () =>
        z.object({
          taskId: id(),
          limit: written(z.coerce.number().int().min(1).max(200)).default(20),
          at: moment(),
        }),
      output: () => z.object({ runs: z.array(run()).readonly(), next: times() }),
      errors: ['SCHEDULED_TASK_UNKNOWN', 'SCHEDULER_UNAVAILABLE'],
      example: { input: { taskId: 'unknown' } },
      run: ({ taskId, limit, at }, caller) =>
        there(async (context) => {
          const row =
            at === undefined ? ownRow(context, taskId, caller) : await ownRowAt(context, taskId, caller, at);
          const details = await detailsOf(context.store, taskId);
          const next = details ? nextTimes(details.schedule, row.nextRunAt, MOST_TIMES) : [];
          return { runs: await lastRuns(context.store, row, limit, at), next };
        }),
    }),
    defineOperation({
      name: 'scheduler.run',
      area,
      device: 'never',
      summary: 'Runs a task now, whether it is active or paused',
      description: 'When it is due next stays as it was. While it is under way, this is a 409.',
      rest: { method: 'POST', path: `${path}/:taskId/run`, invalidId },
      input: () => z.object({ taskId: id() }),
      output: () => z.object({ task: taskWithResult() }),
      errors: [
        ...(['SCHEDULED_TASK_UNKNOWN', 'SCHEDULED_TASK_OVER', 'CONFLICT'] as const),
        ...(['SCHEDULER_UNAVAILABLE', 'STORAGE_FULL'] as const),
      ],
      example: { input: { taskId: 'unknown' } },
      run: ({ taskId }, caller) =>
        there(async (context) => {
          ownRow(context, taskId, caller);
          await context.runner.run(runTask, { taskId, hasActor: actors.has }, caller);
          return { task: await shownTask(context, taskId, caller) };
        }),
    }),
  ];
}
