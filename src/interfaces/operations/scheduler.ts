import { z } from 'zod';
import type { HabitsOf, TimeHabits } from '../../application/timeHabits.ts';
import type { TopicActors } from '../../application/topicActors.ts';
import type { Clock } from '../../clock.ts';
import { cancelTask, changeStatus } from '../../commands/scheduler/changeStatus.ts';
import { createTask } from '../../commands/scheduler/createTask.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { detailsOf } from '../../projections/scheduler/taskDetails.ts';
import { madeByOthersFor, rowOf } from '../../projections/scheduler/tasks.ts';
import { timeInWords } from '../../zonedTime.ts';
import { type Kvstore, type ServiceContext, whileThere } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id, moment } from '../operation.ts';
import { habitsAsked, taskInput, toldWhen, whenOf } from './scheduleInput.ts';
import { TASKS as path, scheduling } from './scheduling.ts';
import { actionOf, refuseUnknownChannels } from './taskAction.ts';
import { listTasks } from './taskLists.ts';
import { taskRuns } from './taskRuns.ts';
import { type TaskView, taskInShort, taskWithResult } from './taskShapes.ts';
import { ownRow, pastTask, shownTask } from './taskViews.ts';

const area = 'scheduler';
const invalidId = 'Invalid task ID format';
const errors = ['SCHEDULED_TASK_UNKNOWN', 'SCHEDULER_UNAVAILABLE'] as const;
const oneTask = lazily(() => z.object({ task: taskWithResult() }));
const when = lazily(() =>
  z.string().describe("In the zone that was named, else the user's, and in their language"),
);
const notes = lazily(() =>
  z.array(z.string()).exactOptional().describe('What could have been meant otherwise'),
);

interface SchedulerOperationsOptions {
  readonly kvstore: Kvstore;
  readonly actors: TopicActors;
  readonly clock: Clock;
  readonly habitsOf: HabitsOf;
}

/** Tasks that publish a topic when they are due. */
export function schedulerOperations(options: SchedulerOperationsOptions): readonly AnyOperation[] {
  const { kvstore, actors, clock, habitsOf } = options;
  const there = <Result>(work: (context: ServiceContext) => Promise<Result>) =>
    whileThere(kvstore, 'SCHEDULER_UNAVAILABLE', work);
  return [
    listTasks(kvstore),
    defineOperation({
      name: 'scheduler.create',
      area,
      device: 'trust2',
      summary: 'Schedules something: at a time, or again and again, in words or in figures',
      description:
        'With a `text` the user is reminded of that. Some topics have something done; `docs/scheduler.md` ' +
        'lists them. A time that a change to summer time leaves out runs at the end of the gap, and one that ' +
        'comes twice runs once. `when` tells when it runs first, in the zone that was named, else in that of the user, and ' +
        '`notes` what could have been meant otherwise.',
      rest: { method: 'POST', path, status: 201 },
      input: taskInput,
      output: () => oneTask().extend({ when: when(), notes: notes() }),
      errors: ['SCHEDULE_INVALID', 'SCHEDULE_CIRCLE', 'SCHEDULER_UNAVAILABLE', 'STORAGE_FULL'],
      example: {
        input: {
          name: 'Good morning',
          every: 'weekdays at 7:30',
          timezone: 'Europe/Berlin',
          eventTopic: 'agent.prompt.requested',
          payload: { text: 'What is up today?' },
        },
      },
      tool: {
        name: 'schedule.create',
        description:
          'Schedules something for later: say when in "at", or in "every" for what comes again. Tell the user ' +
          'the "when" of the answer. To remind the user of something, give "text": it is said to ' +
          'them then. With the topic agent.prompt.requested and the payload {"text": …} the assistant ' +
          'is asked that text then, and answers; any other topic is published to who listens.',
        hints: {
          everyday: true,
          phrases:
            'remind, reminder, wake, woken, alarm, timer, countdown, snooze, later, schedule, nudge, ping me, buzz me, ' +
            'bug me, nag, alert, warn me, heads up, follow up, check in, check back, let me know when, tell me when, ' +
            'tell me in, tell me at, ask me, get me up, appointment, do not let me forget, not forget, keep forgetting, ' +
            'at #, in #, by #, # minutes, # min, # mins, # hours, # hrs, # seconds, # days, # am, # pm, # uhr, after #, ' +
            'in an hour, in half hour, in a minute, in a week, next week, tomorrow, tonight, this evening, this afternoon, ' +
            'every day, every week, every month, every year, each day, each morning, ' +
            'each hour, each half, half hour, keep on track, each evening, every morning, ' +
            'every evening, every night, daily, weekly, monthly, weekdays, on Monday, on Tuesday, on Wednesday, ' +
            'on Thursday, on Friday, on Saturday, on Sunday, every Monday, every Tuesday, every Wednesday, ' +
            'every Thursday, every Friday, every Saturday, every Sunday, at noon, at midnight, ' +
            'erinnere, erinner, erinnern, Erinnerung, Wecker, weck, wecke, wecken, sag Bescheid, Minuten, Stunden, ' +
            'Stunde, um #, morgen um, heute Abend, täglich, wöchentlich, jeden, jede, später, ' +
            'rappelle, rappeler, rappel, réveille, réveil, minuteur, minuterie, penser à, préviens, tous les, ' +
            'chaque, demain, ce soir, dans # minutes, plus tard, à #h, ' +
            'recuérdame, recordar, recordatorio, despiértame, despertador, alarma, temporizador, avísame, ' +
            'todos los, cada, mañana a las, dentro de, más tarde',
        },
        annotations: { title: 'Schedule', readOnlyHint: false, destructiveHint: false, openWorldHint: false },
        resultSchema: () =>
          taskInShort()
            .pick({ name: true, status: true, nextRunAt: true, scheduleType: true })
            .extend({ taskId: z.string(), when: when(), notes: notes() }),
        ...scheduling,
        result: ({ task, ...understood }) => {
          const { id: taskId, name, status, nextRunAt, schedule } = task;
          return { taskId, name, status, nextRunAt, scheduleType: schedule.type, ...understood };
        },
      },
      run: (input, caller) =>
        there(async (context) => {
          const habits = habitsAsked(input, await habitsOf(caller.userId));
          const understood = await whenOf(input, clock(), habits);
          const { schedule, firstAt, notes } = understood;
          const { name } = input;
          const action = actionOf(input, actors, caller);
          await refuseUnknownChannels(context, caller, action.notify);
          const taskId = newIdFor(caller);
          const notByUser = caller.tool && {
            maker: caller.tool.origin,
            active: madeByOthersFor(context.views, caller.userId),
          };
          const deviceId = caller.device?.deviceId;
          const asked = { notByUser, deviceId, parentGeneration: await parentGeneration(context, caller) };
          await context.runner.run(
            createTask,
            { taskId, name, schedule, firstAt, ...action, ...asked },
            caller,
          );
          const task = await shownTask(context, taskId, caller);
          const when = await toldWhen(understood, toldAt(task, habits), habits);
          return { task, when, ...(notes.length === 0 ? {} : { notes: [...notes] }) };
        }),
    }),
    defineOperation({
      name: 'scheduler.show',
      area,
      device: 'trust2',
      summary: 'One of them',
      rest: { method: 'GET', path: `${path}/:taskId`, invalidId },
      input: () => z.object({ taskId: id(), at: moment() }),
      output: oneTask,
      errors,
      example: { input: { taskId: 'unknown' } },
      run: ({ taskId, at }, caller) =>
        there(async (context) => ({
          task: await (at === undefined
            ? shownTask(context, taskId, caller)
            : pastTask(context, taskId, caller, at)),
        })),
    }),
    defineOperation({
      name: 'scheduler.change',
      area,
      device: 'never',
      summary: 'Pauses or resumes a task',
      description: 'Occurrences during the pause are skipped, except that of a task that is due once.',
      rest: { method: 'PUT', path: `${path}/:taskId`, invalidId },
      input: () => z.object({ taskId: id(), status: z.enum(['active', 'paused']) }),
      output: oneTask,
      errors: [...errors, 'SCHEDULED_TASK_OVER', 'STORAGE_FULL'],
      example: { input: { taskId: 'unknown', status: 'paused' } },
      run: ({ taskId, status }, caller) =>
        there(async (context) => {
          ownRow(context, taskId, caller);
          await context.runner.run(changeStatus, { taskId, status }, caller);
          return { task: await shownTask(context, taskId, caller) };
        }),
    }),
    defineOperation({
      name: 'scheduler.cancel',
      area,
      device: 'trust2',
      summary: 'Cancels a task: it stays listed, and never fires again',
      rest: { method: 'DELETE', path: `${path}/:taskId`, invalidId },
      input: () => z.object({ taskId: id() }),
      output: () => z.object({ success: z.literal(true), taskId: z.string() }),
      errors: [...errors, 'STORAGE_FULL'],
      example: { input: { taskId: 'unknown' } },
      tool: {
        name: 'schedule.cancel',
        description: 'Cancels a scheduled task: it never fires again.',
        hints: {
          everyday: true,
          phrases:
            'cancel, stop timer, stop alarm, stop remind, turn off alarm, off alarm, delete alarm, delete reminder, ' +
            'remove alarm, remove reminder, kill timer, scrap, call off, unschedule, no need to wake, not need remind, ' +
            'need any more, stop, quit, forget the reminder, never mind, changed my mind, nicht mehr erinnern, lösche, ' +
            'lösch, absagen, abbrechen, Timer aufhören, ausschalten, annule, annuler, supprime, arrête, ' +
            'cancela, anula, borra, quita',
        },
        annotations: {
          title: 'Cancel a task',
          readOnlyHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        ...scheduling,
        result: ({ taskId }) => `Task ${taskId} cancelled`,
      },
      run: ({ taskId }, caller) =>
        there(async (context) => {
          const body = { error: 'Failed to cancel task', message: 'Task not found' };
          if (!rowOf(context.views, caller.userId, taskId))
            throw new HarkError('SCHEDULED_TASK_UNKNOWN', { body });
          await context.runner.run(cancelTask, { taskId }, caller);
          return { success: true as const, taskId };
        }),
    }),
    ...taskRuns(options),
  ];
}

/** When it runs next; one that was due at once may have run. */
function toldAt({ nextRunAt, lastRunAt, createdAt }: TaskView, habits: TimeHabits): string {
  return timeInWords(nextRunAt ?? lastRunAt ?? createdAt, habits);
}

/** Asked for in the run of a task, it follows from that one: else a circle would never end. */
async function parentGeneration(
  { views, store }: ServiceContext,
  caller: Caller,
): Promise<number | undefined> {
  const { userId, correlationId } = caller;
  const [, taskId] = /^(.+)-\d+$/.exec(correlationId) ?? [];
  if (taskId === undefined || !rowOf(views, userId, taskId)) return undefined;
  return (await detailsOf(store, taskId))?.generation;
}
