import { z } from 'zod';
import { HarkError, isHarkError } from '../../errors.ts';
import { defineTool, type ToolOperation } from '../operation.ts';
import type { ExecuteWorkflow } from '../operations/workflows.ts';

/** Sooner than a tool has to be done. */
const ANSWER_MS = 25_000;
const TIMEOUT_MS = 30_000;

export function workflowRun(execute: ExecuteWorkflow): ToolOperation {
  return defineTool({
    device: 'never',
    tool: {
      name: 'workflow.run',
      description:
        'Runs a workflow, a procedure that was set up before; workflow.list tells which there are. A ' +
        'long one goes on after this has answered.',
      hints: {
        phrases:
          'run the, start the, execute, launch, kick off, trigger, routine, procedure, automation, workflow, Ablauf',
      },
      category: 'workflows',
      annotations: {
        title: 'Run a workflow',
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: true,
      },
      needsKvstore: 'WORKFLOWS_UNAVAILABLE',
      timeoutMs: TIMEOUT_MS,
    },
    input: () =>
      z.object({
        workflowId: z.string().min(1),
        input: z.record(z.string(), z.unknown()).optional().describe('What the workflow is given'),
      }),
    output: () =>
      z.object({
        executionId: z.string(),
        workflowId: z.string(),
        state: z.string(),
        startTime: z.int(),
        endTime: z.int().nullable(),
        output: z.record(z.string(), z.unknown()).nullable().describe('Null while it goes on'),
      }),
    async run({ workflowId, input }, caller) {
      const done = await execute({ workflowId, input }, caller, ANSWER_MS).catch((error) => {
        throw inWordsOfTheTool(error, workflowId);
      });
      const { id: executionId, state, startTime, endTime, output } = done;
      return { executionId, workflowId, state, startTime, endTime, output };
    },
  });
}

function inWordsOfTheTool(error: unknown, workflowId: string): unknown {
  if (isHarkError(error, 'WORKFLOW_UNKNOWN'))
    return new HarkError(error.code, { message: `Workflow '${workflowId}' not found` });
  if (!isHarkError(error, 'WORKFLOW_FAILED')) return error;
  return new HarkError(error.code, {
    message: `Workflow execution failed: ${error.message}`,
    body: error.body,
  });
}
