import { executionStream, type WorkflowEvent } from '../../events/workflows.ts';
import { defineCommand } from '../command.ts';
import { type ExecutionState, executionState } from './state.ts';

interface ResumeExecution {
  readonly executionId: string;
  /** The process that ran it, and is gone. */
  readonly from: string;
  /** The one that goes on with it. */
  readonly instanceId: string;
}

export const resumeExecution = defineCommand<ResumeExecution, ExecutionState>({
  name: 'workflows.resumeExecution',
  state: executionState,
  scope: 'user',
  stream: (input, userId) => executionStream(userId, input),
  decide({ phase, workflowId, instanceId: holder }, { executionId, from, instanceId }): WorkflowEvent[] {
    if (phase !== 'running' || holder !== from) return [];
    return [{ type: 'workflow.execution.resumed', data: { executionId, workflowId, instanceId } }];
  },
});
