import type { PastEvent } from '../../events/definition.ts';
import { readWorkflowEvent, type WorkflowEvent } from '../../events/workflows.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

/** Whether anything may still happen to an execution, and to which of its steps. */
export interface ExecutionState {
  readonly phase: 'unknown' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly workflowId: string;
  /** The process that runs it. */
  readonly instanceId: string;
  /** What it works on cannot be read any more. */
  readonly isErased: boolean;
  /** Steps that are over. */
  readonly over: Readonly<Record<string, true>>;
}

const nothing: ExecutionState = {
  phase: 'unknown',
  workflowId: '',
  instanceId: '',
  isErased: false,
  over: {},
};

export const executionState: StreamFold<ExecutionState> = {
  name: 'execution',
  version: 3,
  initial: nothing,
  evolve(state: ExecutionState, past: PastEvent) {
    const event = readWorkflowEvent(past);
    return event ? evolve(state, event) : state;
  },
};

function evolve(state: ExecutionState, event: WorkflowEvent): ExecutionState {
  switch (event.type) {
    case 'workflow.execution.started': {
      const { workflowId, instanceId, definition } = event.data;
      return { phase: 'running', workflowId, instanceId, isErased: definition === null, over: {} };
    }
    case 'workflow.execution.resumed':
      return { ...state, instanceId: event.data.instanceId };
    case 'workflow.execution.completed':
      return { ...state, phase: 'completed' };
    case 'workflow.execution.failed':
      return { ...state, phase: 'failed' };
    case 'workflow.execution.cancelled':
      return { ...state, phase: 'cancelled' };
    case 'workflow.step.completed':
    case 'workflow.step.skipped':
      return withOver(state, event.data.stepId);
    case 'workflow.step.failed':
      return event.data.retryAt === null ? withOver(state, event.data.stepId) : state;
    default:
      return state;
  }
}

function withOver(state: ExecutionState, stepId: string): ExecutionState {
  return { ...state, over: { ...state.over, [stepId]: true } };
}
