import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import type { TaskDetails } from '../../projections/scheduler/taskDetails.ts';
import type { TaskRow } from '../../projections/scheduler/taskTable.ts';
import { taskMakers, taskStatuses } from '../../vocabulary.ts';

export const taskStatus = lazily(() => z.enum(taskStatuses));

export const schedule = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('cron'), expression: z.string(), timezone: z.string().exactOptional() }),
    z.object({ type: z.literal('once'), atTimestamp: z.number() }),
    z.object({ type: z.literal('interval'), intervalMs: z.number() }),
  ]),
);

export const taskView = lazily(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    status: taskStatus(),
    schedule: schedule(),
    action: z.object({
      eventTopic: z.string(),
      payload: z.record(z.string(), z.unknown()).exactOptional(),
      sessionId: z.string().exactOptional().describe('Where the user is answered'),
      notify: z.array(z.string()).readonly().exactOptional().describe('Channels; all, where it is left out'),
    }),
    nextRunAt: z.number().exactOptional().describe('Left out while nothing is due'),
    lastRunAt: z.number().exactOptional(),
    runCount: z.int(),
    createdAt: z.number(),
    madeBy: z
      .enum(taskMakers)
      .describe('Whose words its payload holds: `model` for what a model made in a turn'),
    failures: z.int().describe('How often in a row what acts on its topic has failed'),
  }),
);

/** As tools tell of one. */
export const taskInShort = lazily(() =>
  taskView()
    .pick({ id: true, name: true, status: true, nextRunAt: true, lastRunAt: true, runCount: true })
    .extend({
      scheduleType: z.enum(['cron', 'once', 'interval']),
      when: z.string().exactOptional().describe("Of the next run, in the user's zone"),
      eventTopic: z
        .string()
        .describe('What it publishes; `agent.reminder.requested` tells the user something'),
    }),
);

/** With what came of it the last time. */
export const taskWithResult = lazily(() =>
  taskView().extend({
    lastResult: z
      .object({
        at: z.number(),
        status: z.enum(['succeeded', 'failed']),
        code: z.string().exactOptional().describe('Why it failed'),
        text: z.string().exactOptional().describe('What was said to the user, while that is not forgotten'),
      })
      .exactOptional()
      .describe('Left out before something acted on it'),
  }),
);

export type TaskView = z.output<ReturnType<typeof taskView>>;

export function taskToWire(
  row: TaskRow,
  { name, schedule, topic, payload, sessionId, notify }: TaskDetails,
): TaskView {
  const { taskId: id, status, nextRunAt, lastRunAt, runCount, createdAt, madeBy, failures } = row;
  return {
    id,
    name: name ?? '',
    status,
    schedule,
    action: {
      eventTopic: topic,
      ...(payload === null ? {} : { payload }),
      ...(sessionId === null ? {} : { sessionId }),
      ...(notify === null ? {} : { notify }),
    },
    ...(nextRunAt === null ? {} : { nextRunAt }),
    ...(lastRunAt === null ? {} : { lastRunAt }),
    runCount,
    createdAt,
    madeBy,
    failures,
  };
}
