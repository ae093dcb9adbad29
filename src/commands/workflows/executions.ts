import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
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

interface AdvanceExecution {
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
