import { z } from 'zod';
import type { WorkflowBook, WorkflowSummary } from '../../application/workflows/book.ts';
import { type Executions, waitsUntil } from '../../application/workflows/executions.ts';
import type { Clock } from '../../clock.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { ExecutionView } from '../../projections/workflows/execution.ts';
import { type Kvstore, whileThere } from '../kvstore.ts';
import { newIdFor } from '../newId.ts';
import { type AnyOperation, type Caller, defineOperation, id, moment as pastMoment } from '../operation.ts';
import { executionList, executionStates } from './executionList.ts';

const area = 'workflows';
/** An answer comes by then, also when the execution goes on. */
const ANSWER_MS = 60_000;

const workflow = lazily(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    stepCount: z.int(),
    input: z.record(z.string(), z.unknown()).exactOptional().describe('JSON Schema of what it takes'),
    steps: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        within: z
          .object({ step: z.string(), list: z.string() })
          .exactOptional()
          .describe(
            'The step in which it lies, and in which of its lists: `do`, `else`, or the number of a branch',
          ),
      }),
    ),
  }),
);

const moment = lazily(() => z.int().nullable());
const execution = lazily(() =>
  z.object({
    id: z.string(),
    workflowId: z.string(),
    state: z.enum(executionStates),
    startTime: z.int(),
    endTime: moment(),
    output: z.record(z.string(), z.unknown()).nullable(),
    error: z.string().nullable(),
    steps: z.array(
      z.object({
        id: z.string(),
        state: z.enum(['running', 'waiting', 'completed', 'failed', 'skipped', 'cancelled']),
        attempts: z.int(),
        startTime: z.int(),
        endTime: moment(),
        /** When the wait is over, or the next attempt due. */
        until: moment(),
        error: z.string().nullable(),
      }),
    ),
  }),
);
type Execution = z.output<ReturnType<typeof execution>>;

const badFile = lazily(() => z.object({ file: z.string(), problem: z.string(), keepsOld: z.boolean() }));

interface WorkflowOperationsOptions {
  readonly kvstore: Kvstore;
  readonly book: () => Promise<WorkflowBook>;
  readonly executions: Executions;
  readonly clock: Clock;
}

export function workflowOperations(options: WorkflowOperationsOptions): readonly AnyOperation[] {
  return [...listing(options), executionList(options), ...running(options)];
}

function listing({ kvstore, book }: WorkflowOperationsOptions): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'workflows.list',
      area,
      device: 'never',
      summary: 'The workflows that can be executed',
      description:
        'Those of the files in the folder `workflows` of the data directory, and those that are built in. `badFiles` ' +
        'are files that cannot be used, and why; with `keepsOld`, the version before is still in use.',
      rest: { method: 'GET', path: '/api/workflows' },
      tool: {
        name: 'workflow.list',
        description: 'Lists the workflows that can be run, with what each does.',
        hints: {
          phrases:
            'which workflows, what workflows, procedures, automations, routines, what can you run, Abläufe',
        },
        category: 'workflows',
        annotations: { title: 'Workflows', readOnlyHint: true, openWorldHint: false },
        needsKvstore: 'WORKFLOWS_UNAVAILABLE',
        resultSchema: () => z.array(workflow().omit({ steps: true, input: true })),
        result: ({ workflows }) =>
          workflows.map(({ id, name, description, stepCount }) => ({ id, name, description, stepCount })),
      },
      input: () => z.object({}),
      output: () =>
        z.object({ workflows: z.array(workflow()), count: z.int(), badFiles: z.array(badFile()) }),
      errors: ['WORKFLOWS_UNAVAILABLE'],
      example: { input: {} },
      async run() {
        const workflowBook = await whileThere(kvstore, 'WORKFLOWS_UNAVAILABLE', book);
        const workflows = workflowBook.list().map(shown);
        return { workflows, count: workflows.length, badFiles: [...workflowBook.badFiles] };
      },
    }),
  ];
}

/** Executes a workflow and tells of it when it is over, waits for longer, or has gone on for so long. */
export type ExecuteWorkflow = (asked: Asked, caller: Caller, answerMs: number) => Promise<Execution>;

interface Asked {
  readonly workflowId: string;
  readonly input?: Record<string, unknown> | undefined;
}

export function executor({ kvstore, book, executions, clock }: WorkflowOperationsOptions): ExecuteWorkflow {
  return async ({ workflowId, input = {} }, caller, answerMs) => {
    const { userId, correlationId, during, signal } = caller;
    const executionId = newIdFor(caller);
    const state = await whileThere(kvstore, 'WORKFLOWS_UNAVAILABLE', async () => {
      await book();
      await executions.start({ workflowId, executionId, input, userId, correlationId, during });
      return executions.settled({ userId, executionId }, clock() + answerMs, signal);
    });
    if (state.phase !== 'failed') return told(state);
    const { error } = state;
    throw new HarkError('WORKFLOW_FAILED', {
      ...(error === null ? {} : { message: error }),
      body: { executionId },
    });
  };
}

function running(options: WorkflowOperationsOptions): readonly AnyOperation[] {
  const { kvstore, executions } = options;
  const execute = executor(options);
  const there = (work: () => Promise<ExecutionView>) => whileThere(kvstore, 'WORKFLOWS_UNAVAILABLE', work);
  return [
    defineOperation({
      name: 'workflows.execute',
      area,
      device: 'never',
      summary: 'Executes a workflow',
      description:
        'Answers when the execution is over, and after a minute in any case: the execution then goes on, and its ' +
        'state is `running` or `waiting`. One that begins to wait for longer is answered at once. With ' +
        '`Idempotency-Key`, the same request executes it once.',
      rest: {
        method: 'POST',
        path: '/api/workflows/:id/execute',
        invalidId: 'Invalid workflow ID format',
      },
      input: () => z.object({ id: id(), input: z.record(z.string(), z.unknown()).optional() }),
      output: () => z.object({ execution: execution() }),
      errors: ['WORKFLOW_UNKNOWN', 'WORKFLOW_FAILED', 'WORKFLOW_CIRCLE', 'WORKFLOWS_UNAVAILABLE'],
      example: { input: { id: 'health-report', input: {} } },
      async run({ id: workflowId, input }, caller) {
        return { execution: await execute({ workflowId, input }, caller, ANSWER_MS) };
      },
    }),
    defineOperation({
      name: 'workflows.execution',
      area,
      device: 'never',
      summary: 'An execution, as far as it has come',
      rest: {
        method: 'GET',
        path: '/api/workflows/executions/:id',
        invalidId: 'Invalid execution ID format',
      },
      input: () => z.object({ id: id(), at: pastMoment() }),
      output: () => z.object({ execution: execution() }),
      errors: ['EXECUTION_UNKNOWN', 'WORKFLOWS_UNAVAILABLE'],
      example: { input: { id: 'b2f6a4c0' } },
      async run({ id: executionId, at }, { userId }) {
        return { execution: told(await there(() => executions.find({ userId, executionId, at }))) };
      },
    }),
    defineOperation({
      name: 'workflows.cancel',
      area,
      device: 'never',
      summary: 'Cancels an execution',
      description: 'What its steps did stays done. The step that runs at this moment is not waited for.',
      rest: {
        method: 'POST',
        path: '/api/workflows/executions/:id/cancel',
        invalidId: 'Invalid execution ID format',
      },
      input: () => z.object({ id: id() }),
      output: () => z.object({ execution: execution() }),
      errors: ['EXECUTION_UNKNOWN', 'EXECUTION_OVER', 'WORKFLOWS_UNAVAILABLE'],
      example: { input: { id: 'b2f6a4c0' } },
      async run({ id: executionId }, { userId, correlationId }) {
        const cancelled = there(() => executions.cancel({ userId, executionId, correlationId }));
        return { execution: told(await cancelled) };
      },
    }),
  ];
}

function shown({ steps, ...summary }: WorkflowSummary): z.output<ReturnType<typeof workflow>> {
  return { ...summary, stepCount: steps.length, steps: [...steps] };
}

function told(state: ExecutionView): Execution {
  const { executionId, workflowId, phase, startTime, endTime, output, error, steps } = state;
  const at = phase === 'running' && waitsUntil(state) > 0 ? 'waiting' : phase;
  return {
    id: executionId,
    workflowId,
    state: at === 'unknown' ? 'running' : at,
    startTime,
    endTime,
    output,
    error,
    steps: Object.entries(steps).map(([stepId, record]) => ({
      id: stepId,
      state: record.state,
      attempts: record.attempts,
      startTime: record.startedAt,
      endTime: record.endedAt,
      until: record.until,
      error: record.error,
    })),
  };
}
