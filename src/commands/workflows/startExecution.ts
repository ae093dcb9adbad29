import type { WorkflowDefinition } from '../../events/workflowDefinition.ts';
import { executionStream, type WorkflowEvent } from '../../events/workflows.ts';
import { defineCommand } from '../command.ts';
import { type ExecutionState, executionState } from './state.ts';

interface StartExecution {
  readonly executionId: string;
  readonly workflowId: string;
  readonly definition: WorkflowDefinition;
  readonly input: Record<string, unknown>;
  readonly instanceId: string;
  readonly generation: number;
}

export const startExecution = defineCommand<StartExecution, ExecutionState>({
  name: 'workflows.startExecution',
  state: executionState,
  scope: 'user',
  stream: (input, userId) => executionStream(userId, input),
  decide({ phase }, asked): WorkflowEvent[] {
    if (phase !== 'unknown') return [];
    return [{ type: 'workflow.execution.started', data: asked }];
  },
});
