import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { taskMakers } from '../vocabulary.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';

/*
 * A task publishes its topic when it is due: each occurrence is one `fired`, whichever process was first. Where
 * something acts on the topic, `fired` begins a run of it, unless one is under way or has to wait after a failure.
 *
 *   created + described ─► fired… ─► completed (in the last `fired`)
 *       │    ▲                └─► run.succeeded
 *       ▼    │                └─► run.failed ─► run.retried ─► …  after too many: paused, or task.failed
 *     paused ┴► resumed
 *       └► cancelled
 */

const taskId = lazily(() => z.string());
const run = lazily(() => ({ taskId: taskId(), occurrenceId: z.string(), attempt: z.int() }));

const schedule = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('cron'), expression: z.string(), timezone: z.string().exactOptional() }),
    z.object({ type: z.literal('once'), atTimestamp: z.number() }),
    z.object({ type: z.literal('interval'), intervalMs: z.number() }),
  ]),
);

/** Where it is said, of what says something; not there where that is nowhere. */
const sessionId = lazily(() => z.string().exactOptional());

/** Channels by which the user is told what it says; all of them, where it is not there. */
const notify = lazily(() => z.array(z.string()).readonly().exactOptional());

/** The device by which the user asked for it: what it has done is no more than the device may. */
const deviceId = lazily(() => z.string().exactOptional());

const taskPayload = lazily(() => z.record(z.string(), z.unknown()));

export const taskCreated = defineEvent('schedule.task.created', {
  data: () =>
    z.object({
      taskId: taskId(),
      schedule: schedule(),
      topic: z.string(),
      nextRunAt: z.number(),
      /** How many tasks, each made while the one before it ran, led to this one in quick succession. */
      generation: z.int(),
      madeBy: z.enum(taskMakers),
      deviceId: deviceId(),
      /** It has no payload: what it publishes holds no text, and goes on where the user's text is erased. */
      textless: z.literal(true).exactOptional(),
      sessionId: sessionId(),
      notify: notify(),
    }),
});

/** Beside `created`, so that times are known without opening what is sealed. */
export const taskDescribed = defineEvent('schedule.task.described', {
  data: () => z.object({ taskId: taskId(), name: personal(z.string()), payload: personal(taskPayload()) }),
});

/** Why nothing acts on an occurrence although something could. */
const held = lazily(() => z.enum(['overlap', 'back-off']));

export const taskFired = defineEvent('schedule.task.fired', {
  data: () =>
    z.object({
      taskId: taskId(),
      occurrenceId: z.string(),
      topic: z.string(),
      payload: personal(taskPayload()),
      /** Who made the task: whose words those of the payload are. */
      madeBy: z.enum(taskMakers),
      deviceId: deviceId(),
      sessionId: sessionId(),
      notify: notify(),
      dueAt: z.number(),
      /** It was missed; of several in a row that were, this stands for all. */
      late: z.boolean(),
      /** Null when this was the last. */
      nextRunAt: z.number().nullable(),
      /** The user wanted it now: what is planned stays as it is. */
      asked: z.literal(true).exactOptional(),
      /** Whether something is to act on it; else null, or why not. */
      acts: z.boolean(),
      held: held().nullable(),
    }),
});

/** The clock went back: what would only have come long after is planned anew. */
const taskReplanned = defineEvent('schedule.task.replanned', {
  data: () => z.object({ taskId: taskId(), nextRunAt: z.number() }),
});

const taskPaused = defineEvent('schedule.task.paused', {
  data: () => z.object({ taskId: taskId(), because: z.enum(['asked', 'failing']) }),
});

const taskResumed = defineEvent('schedule.task.resumed', {
  data: () => z.object({ taskId: taskId(), nextRunAt: z.number() }),
});

/** `erased`: what it was to say is gone. */
const taskCancelled = defineEvent('schedule.task.cancelled', {
  data: () => z.object({ taskId: taskId(), because: z.enum(['asked', 'erased']) }),
});

/** What was to be done once could not be done. */
const taskFailed = defineEvent('schedule.task.failed', { data: () => z.object({ taskId: taskId() }) });

/** Once for each row of failures: somebody should look. */
export const taskAlerted = defineEvent('schedule.task.alerted', {
  data: () => z.object({ taskId: taskId(), failures: z.int(), code: z.string() }),
});

/** Another attempt at the same occurrence, after a pause. */
export const runRetried = defineEvent('schedule.run.retried', { data: () => z.object(run()) });

export const runSucceeded = defineEvent('schedule.run.succeeded', { data: () => z.object(run()) });

export const runFailed = defineEvent('schedule.run.failed', {
  data: () =>
    z.object({
      ...run(),
      code: z.string(),
      /** In a row. */
      failures: z.int(),
      /** Null when it is not tried again. */
      retryAt: z.number().nullable(),
    }),
});

/** Where all of one task is. */
export function taskStream(taskId: string): string {
  return `task-${taskId}`;
}

export const schedulerEvents = [
  taskCreated,
  taskDescribed,
  taskFired,
  taskReplanned,
  taskPaused,
  taskResumed,
  taskCancelled,
  taskFailed,
  taskAlerted,
  runRetried,
  runSucceeded,
  runFailed,
] as const;

export type SchedulerEvent = EventOf<(typeof schedulerEvents)[number]>;

/** An event of this area as what it is; undefined for one of another. */
export const readSchedulerEvent = readerOf(schedulerEvents);
