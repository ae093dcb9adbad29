import { executionEndings, executionStarted } from '../../events/workflows.ts';
import type { EventReader } from '../../store/port.ts';
import { defineProjection } from '../projection.ts';
import { type Views, viewAtTime } from '../runtime.ts';

export interface LastExecution {
  readonly executionId: string;
  readonly workflowId: string;
  readonly startTime: number;
  endTime: number | null;
  /** Null while it is not over. */
  ending: 'completed' | 'failed' | 'cancelled' | null;
}

interface LastExecutions {
  /** Oldest first. */
  readonly byUser: Record<string, LastExecution[]>;
}

/** Of a user, of those that are over. */
const MOST_OVER = 200;

/** What each user executes, and has executed lately. */
export const lastExecutions = defineProjection({
  name: 'workflows.lastExecutions',
  version: 1,
  handles: [executionStarted, ...executionEndings],
  initial: (): LastExecutions => ({ byUser: {} }),
  apply({ byUser }, event) {
    const { at } = event;
    const key = keyOf(event.owner);
    const executions = byUser[key] ?? [];
    byUser[key] = executions;
    switch (event.type) {
      case 'workflow.execution.started': {
        const { executionId, workflowId } = event.data;
        executions.push({ executionId, workflowId, startTime: at, endTime: null, ending: null });
        break;
      }
      case 'workflow.execution.completed':
        return end(executions, event.data.executionId, 'completed', at);
      case 'workflow.execution.failed':
        return end(executions, event.data.executionId, 'failed', at);
      case 'workflow.execution.cancelled':
        return end(executions, event.data.executionId, 'cancelled', at);
    }
  },
});

/** Newest first. */
export function lastExecutionsOf(views: Views, userId: string): readonly LastExecution[] {
  return newestFirst(views.view(lastExecutions), userId);
}

/** The same as it was at a moment. */
export async function lastExecutionsAt(
  store: EventReader,
  userId: string,
  time: number,
): Promise<readonly LastExecution[]> {
  return newestFirst(await viewAtTime(store, lastExecutions, { userId }, time), userId);
}

function newestFirst({ byUser }: LastExecutions, userId: string): readonly LastExecution[] {
  return byUser[keyOf(userId)]?.toReversed() ?? [];
}

/** The oldest that is over makes room for it. */
function end(
  executions: LastExecution[],
  executionId: string,
  ending: LastExecution['ending'],
  at: number,
): void {
  const one = executions.findLast((each) => each.executionId === executionId);
  if (!one) return;
  one.endTime = at;
  one.ending = ending;
  const over = executions.filter((each) => each.ending !== null);
  const [oldest] = over;
  if (oldest && over.length > MOST_OVER) executions.splice(executions.indexOf(oldest), 1);
}

/** A user may be called `__proto__`. */
function keyOf(userId: string): string {
  return `user ${userId}`;
}
