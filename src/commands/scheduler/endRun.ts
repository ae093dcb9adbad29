import { type SchedulerEvent, taskStream } from '../../events/scheduler.ts';
import { defineCommand } from '../command.ts';
import { type TaskState, taskState } from './state.ts';

interface EndRun {
  readonly taskId: string;
  readonly occurrenceId: string;
  readonly attempt: number;
  /** What went wrong, when something did. */
  readonly failure: { readonly code: string } | null;
}

const SECOND_MS = 1_000;
/** After the first failure in a row, the second, and so on; after one more, some hours later, it is given up. */
const BACK_OFF_MS = [30, 60, 300, 900, 3_600, 3_600, 3_600].map((seconds) => seconds * SECOND_MS);
const ALERT_AT = 3;

/**
 * How an attempt at an occurrence ended. What fails is tried again after a growing pause; what fails on and on is
 * paused, or given up when it was to be done once, and says so once.
 */
export const endRun = defineCommand<EndRun, TaskState | null>({
  name: 'scheduler.endRun',
  state: taskState,
  scope: 'user',
  stream: ({ taskId }) => taskStream(taskId),
  decide(task, { failure, ...run }, { now }): SchedulerEvent[] {
    const { running } = task ?? {};
    if (!task || running?.occurrenceId !== run.occurrenceId || running.attempt !== run.attempt) return [];
    if (!failure) return [{ type: 'schedule.run.succeeded', data: run }];
    const failures = task.failures + 1;
    const pause = isWanted(task) ? BACK_OFF_MS[failures - 1] : undefined;
    const retryAt = pause === undefined ? null : now + pause;
    const { taskId } = task;
    const { code } = failure;
    const failed = { type: 'schedule.run.failed', data: { ...run, code, failures, retryAt } } as const;
    const alerted = { type: 'schedule.task.alerted', data: { taskId, failures, code } } as const;
    const isOver = isWanted(task) && retryAt === null;
    return [failed, ...(failures === ALERT_AT ? [alerted] : []), ...(isOver ? [giveUp(task)] : [])];
  },
});

/** Neither paused nor cancelled since it fired. */
function isWanted({ status }: TaskState): boolean {
  return status === 'active' || status === 'completed';
}

function giveUp({ taskId, status }: TaskState): SchedulerEvent {
  return status === 'completed'
    ? { type: 'schedule.task.failed', data: { taskId } }
    : { type: 'schedule.task.paused', data: { taskId, because: 'failing' } };
}
