import { z } from 'zod';
import { counted, printRows, showTime } from '../output.ts';

export const TASKS = 'api/scheduler/tasks';

export const task = z.looseObject({
  id: z.string(),
  name: z.string(),
  status: z.string(),
  schedule: z.looseObject({
    type: z.string(),
    expression: z.string().optional(),
    timezone: z.string().optional(),
    atTimestamp: z.number().optional(),
    intervalMs: z.number().optional(),
  }),
  action: z.looseObject({ eventTopic: z.string() }),
  nextRunAt: z.number().optional(),
  lastRunAt: z.number().optional(),
  runCount: z.number(),
  failures: z.number(),
});
type Task = z.output<typeof task>;

const lastResult = z.looseObject({
  status: z.string(),
  code: z.string().optional(),
  text: z.string().optional(),
});

export const oneTask = z.looseObject({ task: task.extend({ lastResult: lastResult.optional() }) });

function showRuns(runCount: number, failures: number): string {
  const ran = runCount === 0 ? 'not run yet' : `ran ${counted(runCount, 'time')}`;
  return failures > 0 ? `${ran}, failed ${counted(failures, 'time')} in a row` : ran;
}

export function printTasks(tasks: readonly Task[]): void {
  printRows(
    tasks.map((one) => {
      const { id, name, status, schedule, action, nextRunAt, runCount, failures } = one;
      const next = nextRunAt === undefined ? '–' : showTime(nextRunAt);
      return [
        status,
        next,
        id,
        showSchedule(schedule),
        action.eventTopic,
        showRuns(runCount, failures),
        name,
      ];
    }),
  );
}

function showSchedule({ type, expression, timezone, atTimestamp, intervalMs }: Task['schedule']): string {
  if (expression !== undefined) return `cron ${expression}${timezone === undefined ? '' : ` ${timezone}`}`;
  if (atTimestamp !== undefined) return `once ${showTime(atTimestamp)}`;
  return intervalMs === undefined ? type : `every ${intervalMs / 1_000} s`;
}
