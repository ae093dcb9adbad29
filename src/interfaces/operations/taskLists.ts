import { z } from 'zod';
import { ToolParts } from '../../application/chat/toolOutput.ts';
import type { HabitsOf, TimeHabits } from '../../application/timeHabits.ts';
import { lazily } from '../../lazily.ts';
import { tasksAt } from '../../projections/scheduler/past.ts';
import { countOf, newestFirst, tasks } from '../../projections/scheduler/tasks.ts';
import type { TaskRow, TaskTable } from '../../projections/scheduler/taskTable.ts';
import type { TaskStatus } from '../../vocabulary.ts';
import { timeInWords } from '../../zonedTime.ts';
import { type Kvstore, type ServiceContext, whileThere } from '../kvstore.ts';
import {
  type AnyOperation,
  type Caller,
  defineText,
  defineTool,
  id,
  moment,
  type ToolOperation,
  written,
} from '../operation.ts';
import { scheduling, TASKS } from './scheduling.ts';
import { type TaskView, taskInShort, taskStatus, taskView } from './taskShapes.ts';
import { ownRow, viewsOf } from './taskViews.ts';

/** What a tool tells of, and about how long that may be: a model reads it word by word. */
const MOST_TOLD = 100;
const LONGEST_TOLD = 24_000;

const wanted = lazily(() =>
  z.object({
    status: taskStatus().optional(),
    limit: written(z.coerce.number().int().min(1))
      .optional()
      .describe('At most so many; all, if it is left out'),
    after: id().optional().describe('Only those behind this task: `next` of the page before'),
  }),
);

export function listTasks(kvstore: Kvstore): AnyOperation {
  return defineText({
    name: 'scheduler.list',
    area: 'scheduler',
    device: 'trust2',
    summary: 'Scheduled tasks, newest first',
    description:
      '`count` is how many there are in all, or in all of that status. With a `limit`, `next` is ' +
      'what to give as `after` for those that follow, where there are any.',
    rest: { method: 'GET', path: TASKS, text: 'application/json; charset=utf-8' },
    input: () => wanted().extend({ at: moment() }),
    output: () => z.object({ tasks: z.array(taskView()), count: z.int(), next: z.string().exactOptional() }),
    errors: ['SCHEDULED_TASK_UNKNOWN', 'SCHEDULER_UNAVAILABLE'],
    example: { input: { status: 'active', limit: 10 } },
    run: (input, caller) =>
      whileThere(kvstore, 'SCHEDULER_UNAVAILABLE', async (context) => {
        const pieces = jsonOf(context, input, caller);
        // The first holds tasks, where there are any: what cannot be read is refused, and not begun.
        const first = await pieces.next();
        return startingWith(first.value ?? '', pieces);
      }),
  });
}

async function* jsonOf(
  context: ServiceContext,
  {
    status,
    limit = Number.POSITIVE_INFINITY,
    after,
    at,
  }: z.output<ReturnType<typeof wanted>> & { readonly at?: number | undefined },
  caller: Caller,
): AsyncGenerator<string, undefined> {
  const before = after === undefined ? undefined : ownRow(context, after, caller).position;
  const { store, views } = context;
  const { userId } = caller;
  const tables = at === undefined ? views.parts(tasks) : [await tasksAt(store, userId, at)];
  const isWanted = status === undefined ? undefined : (one: TaskStatus) => one === status;
  const count = countOf(tables, userId, isWanted);
  const rows = newestFirst(tables, userId, { before, ...(isWanted && { isWanted }) });
  let text = `{"count":${count},"tasks":[`;
  let last: TaskView | undefined;
  for await (const tasks of viewsOf(context, atMost(limit, rows))) {
    if (last) text += ',';
    yield text + tasks.map((task) => JSON.stringify(task)).join(',');
    text = '';
    last = tasks.at(-1);
  }
  const next = last && !rows.next().done ? `,"next":${JSON.stringify(last.id)}` : '';
  yield `${text}]${next}}`;
}

/** Those that follow are left where they are. */
function* atMost(limit: number, rows: Iterator<TaskRow>): Generator<TaskRow> {
  for (let taken = 0; taken < limit; taken++) {
    const { value, done } = rows.next();
    if (done) return;
    yield value;
  }
}

async function* startingWith(first: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* pieces;
}

/** As a model lists them: what is active first, since it cannot read all that was ever cancelled. */
export function listTasksForModels(kvstore: Kvstore, habitsOf: HabitsOf): ToolOperation {
  return defineTool({
    device: 'trust2',
    tool: {
      name: 'schedule.list',
      description: "Lists the user's scheduled tasks: active ones first, and newest first.",
      annotations: { title: 'Scheduled tasks', readOnlyHint: true, openWorldHint: false },
      hints: {
        everyday: true,
        phrases:
          'what reminders, which reminders, my reminders, show reminders, reminders do I have, which alarms, ' +
          'any alarms, my alarms, any timer, my timers, what is scheduled, have scheduled, coming up, planned, ' +
          'agenda, next reminder, will remind, going to remind, reminded of, left timer, did you set, alarm go off, ' +
          'Erinnerungen habe, welche Erinnerungen, welche Wecker, meine Wecker, welche Termine, quels rappels, ' +
          'mes rappels, qué recordatorios, mis recordatorios, qué alarmas',
      },
      ...scheduling,
      resultSchema: () => z.array(taskInShort()),
      result: ({ tasks, left }) => (left === 0 ? tasks : cutShort(tasks, left)),
    },
    input: () => wanted().pick({ status: true }),
    output: () => z.object({ tasks: z.array(taskInShort()), left: z.int() }),
    run: ({ status }, { userId }) =>
      whileThere(kvstore, 'SCHEDULER_UNAVAILABLE', async (context) => {
        const tables = context.views.parts(tasks);
        const habits = await habitsOf(userId);
        const isWanted = (one: TaskStatus) => status === undefined || one === status;
        const told: TaskInShort[] = [];
        let length = 0;
        for await (const some of viewsOf(context, activeFirst(tables, userId, isWanted))) {
          for (const task of some.map((one) => inShort(one, habits))) {
            length += JSON.stringify(task).length;
            if (length > LONGEST_TOLD) break;
            told.push(task);
          }
          if (length > LONGEST_TOLD) break;
        }
        return { tasks: told, left: countOf(tables, userId, isWanted) - told.length };
      }),
  });
}

type TaskInShort = z.output<ReturnType<typeof taskInShort>>;

function* activeFirst(
  tables: readonly TaskTable[],
  userId: string,
  isWanted: (status: TaskStatus) => boolean,
): Generator<TaskRow> {
  const isActive = (status: TaskStatus) => status === 'active';
  const active = newestFirst(tables, userId, { isWanted: (status) => isActive(status) && isWanted(status) });
  const others = newestFirst(tables, userId, { isWanted: (status) => !isActive(status) && isWanted(status) });
  yield* atMost(
    MOST_TOLD,
    [active, others].values().flatMap((rows) => rows),
  );
}

function inShort(
  { id: taskId, name, status, schedule, action, nextRunAt, lastRunAt, runCount }: TaskView,
  habits: TimeHabits,
): TaskInShort {
  return {
    id: taskId,
    name,
    status,
    scheduleType: schedule.type,
    eventTopic: action.eventTopic,
    ...(nextRunAt === undefined ? {} : { nextRunAt, when: timeInWords(nextRunAt, habits) }),
    ...(lastRunAt === undefined ? {} : { lastRunAt }),
    runCount,
  };
}

function cutShort(tasks: readonly TaskInShort[], left: number): ToolParts {
  const note = `[Cut here: ${left.toLocaleString('en-US')} more. Ask for those of one status]`;
  return new ToolParts([{ type: 'text', text: `${JSON.stringify(tasks)}\n${note}` }], tasks);
}
