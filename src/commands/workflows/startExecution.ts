import type { WorkflowDefinition } from '../../events/workflowDefinition.ts';
import type { WorkflowEvent } from '../../events/workflows.ts';
import { defineCommand } from '../command.ts';
import { type ExecutionState, executionState, executionStream } from './state.ts';

interface StartExecution {
  readonly executionId: string;
  readonly workflowId: string;
  readonly definition: WorkflowDefinition;
  readonly input: Record<string, unknown>;
  readonly instanceId: string;
}

export const startExecution = defineCommand<StartExecution, ExecutionState>({
  name: 'workflows.startExecution',
  state: executionState,
  scope: 'user',
  stream: (input, userId) => executionStream(userId, input),
  decide({ phase }, { executionId, workflowId, definition, input, instanceId }): WorkflowEvent[] {
    if (phase !== 'unknown') return [];
    const data = { executionId, workflowId, definition, input, instanceId };
    return [{ type: 'workflow.execution.started', data }];
  },
});
