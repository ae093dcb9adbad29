import { HarkError } from '../../errors.ts';
import { executionStream, type WorkflowEvent } from '../../events/workflows.ts';
import { defineCommand } from '../command.ts';
import { type ExecutionState, executionState } from './state.ts';

export const cancelExecution = defineCommand<{ readonly executionId: string }, ExecutionState>({
  name: 'workflows.cancelExecution',
  state: executionState,
  scope: 'user',
  stream: (input, userId) => executionStream(userId, input),
  decide({ phase, workflowId }, { executionId }): WorkflowEvent[] {
    if (phase === 'unknown') throw new HarkError('EXECUTION_UNKNOWN', { body: { executionId } });
    if (phase === 'cancelled') return [];
    if (phase !== 'running') throw new HarkError('EXECUTION_OVER', { body: { executionId } });
    return [{ type: 'workflow.execution.cancelled', data: { executionId, workflowId } }];
  },
});
