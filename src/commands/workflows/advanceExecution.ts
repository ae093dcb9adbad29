import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { executionStream, type WorkflowEvent } from '../../events/workflows.ts';
import { defineCommand } from '../command.ts';
import { type ExecutionState, executionState } from './state.ts';

export interface AdvanceExecution {
  readonly executionId: string;
  /** The process that runs it, as it believes. */
  readonly instanceId: string;
  readonly event: WorkflowEvent;
}

/**
 * Whoever runs an execution finds out here that it is over, or that another process runs it now. Nothing happens to
 * a step after its end, so that no step is completed twice, whoever believes to run it.
 */
export const advanceExecution = defineCommand<AdvanceExecution, ExecutionState>({
  name: 'workflows.advanceExecution',
  state: executionState,
  scope: 'user',
  stream: (input, userId) => executionStream(userId, input),
  decide(state, { instanceId, event }): WorkflowEvent[] {
    if (state.phase !== 'running' || state.instanceId !== instanceId) throw new HarkError('EXECUTION_OVER');
    const isEnding = event.type.startsWith('workflow.execution.');
    // What came of a step is not written down when what it was made from may not be read any more.
    if (!isEnding && state.isErased) throw new HarkError('EXECUTION_ERASED');
    if (!isEnding && 'stepId' in event.data && entryOf(state.over, event.data.stepId ?? '')) return [];
    return [event];
  },
});
