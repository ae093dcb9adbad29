import { z } from 'zod';
import { type Executions, waitsUntil } from '../../application/workflows/executions.ts';
import { lazily } from '../../lazily.ts';
import {
  type LastExecution,
  lastExecutionsAt,
  lastExecutionsOf,
} from '../../projections/workflows/lastExecutions.ts';
import { type Kvstore, whileThere } from '../kvstore.ts';
import { type AnyOperation, defineOperation, id, moment, written } from '../operation.ts';

export const executionStates = ['running', 'waiting', 'completed', 'failed', 'cancelled'] as const;
const state = lazily(() => z.enum(executionStates));

const listed = lazily(() =>
  z.object({
    id: z.string(),
    workflowId: z.string(),
    state: state(),
    startTime: z.int(),
    endTime: z.int().nullable(),
  }),
);

interface ExecutionListOptions {
  readonly kvstore: Kvstore;
  readonly executions: Pick<Executions, 'find'>;
}

export function executionList({ kvstore, executions }: ExecutionListOptions): AnyOperation {
  /** Only what is not over has to be looked at to tell whether it waits. */
  const stateOf = async ({ ending, executionId }: LastExecution, userId: string, at?: number) => {
    if (ending !== null) return ending;
    return waitsUntil(await executions.find({ userId, executionId, at })) > 0 ? 'waiting' : 'running';
  };
  return defineOperation({
    name: 'workflows.executions',
    area: 'workflows',
    device: 'never',
    summary: "The user's executions, newest first",
    description:
      'All that are not over, and the last 200 that are; with `at`, as they were then. ' +
      '`GET /api/workflows/executions/:id` tells more.',
    rest: { method: 'GET', path: '/api/workflows/executions' },
    input: () =>
      z.object({
        workflowId: id().optional(),
        state: state().optional(),
        at: moment(),
        limit: written(z.coerce.number().int().min(1).max(500)).default(50),
      }),
    output: () => z.object({ executions: z.array(listed()), count: z.int() }),
    errors: ['WORKFLOWS_UNAVAILABLE'],
    example: { input: { state: 'waiting', limit: 10 } },
    run: ({ workflowId, state: wanted, limit, at: time }, { userId }) =>
      whileThere(kvstore, 'WORKFLOWS_UNAVAILABLE', async ({ store, views }) => {
        const found: z.output<ReturnType<typeof listed>>[] = [];
        const all =
          time === undefined ? lastExecutionsOf(views, userId) : await lastExecutionsAt(store, userId, time);
        for (const one of all) {
          if (workflowId !== undefined && one.workflowId !== workflowId) continue;
          const at = await stateOf(one, userId, time);
          if (wanted !== undefined && at !== wanted) continue;
          const { executionId, startTime, endTime } = one;
          found.push({ id: executionId, workflowId: one.workflowId, state: at, startTime, endTime });
          if (found.length === limit) break;
        }
        return { executions: found, count: found.length };
      }),
  });
}
