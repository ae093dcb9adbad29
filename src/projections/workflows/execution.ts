import { entryOf } from '../../entryOf.ts';
import type { PastEvent } from '../../events/definition.ts';
import type { WorkflowDefinition } from '../../events/workflowDefinition.ts';
import { executionStream, readWorkflowEvent, type WorkflowEvent } from '../../events/workflows.ts';
import type { UserProjection } from '../projection.ts';

/** What is known of a step that was reached. */
export interface StepRecord {
  /** Failed for good; a step that will be tried again waits. Cancelled with its execution. */
  readonly state: 'running' | 'waiting' | 'completed' | 'failed' | 'skipped' | 'cancelled';
  /** How often it was started. */
  readonly attempts: number;
  readonly failures: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** When the wait is over, or the next attempt due. */
  readonly until: number | null;
  readonly output: unknown;
  readonly error: string | null;
  /** Its event is in the log, whatever became of it. */
  readonly isPublished: boolean;
}

/** One execution, as far as it got. */
export interface ExecutionView {
  readonly phase: 'unknown' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly executionId: string;
  readonly workflowId: string;
  /** Null once it was erased. */
  readonly definition: WorkflowDefinition | null;
  readonly input: Readonly<Record<string, unknown>> | null;
  readonly instanceId: string;
  readonly startTime: number;
  readonly endTime: number | null;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly steps: Readonly<Record<string, StepRecord>>;
}

const nothing: ExecutionView = {
  phase: 'unknown',
  executionId: '',
  workflowId: '',
  definition: null,
  input: null,
  instanceId: '',
  startTime: 0,
  endTime: null,
  output: null,
  error: null,
  steps: {},
};

const reached: StepRecord = {
  state: 'running',
  attempts: 0,
  failures: 0,
  startedAt: 0,
  endedAt: null,
  until: null,
  output: null,
  error: null,
  isPublished: false,
};

/** By its id: for those who ask about it, and for what is done next in it. */
export const execution: UserProjection<ExecutionView, [executionId: string]> = {
  name: 'executionView',
  version: 1,
  stream: (userId, executionId) => executionStream(userId, { executionId }),
  initial: nothing,
  evolve(state: ExecutionView, past: PastEvent) {
    const event = readWorkflowEvent(past);
    return event ? evolve(state, event, past) : state;
  },
};

function evolve(state: ExecutionView, event: WorkflowEvent, { at }: PastEvent): ExecutionView {
  switch (event.type) {
    case 'workflow.execution.started':
      return { ...nothing, ...event.data, phase: 'running', startTime: at };
    case 'workflow.execution.resumed':
      return { ...state, instanceId: event.data.instanceId };
    case 'workflow.execution.completed':
      return { ...state, phase: 'completed', endTime: at, output: event.data.output };
    case 'workflow.execution.failed':
      return { ...over(state, at), phase: 'failed', error: event.data.error };
    case 'workflow.execution.cancelled':
      return { ...over(state, at), phase: 'cancelled' };
    default: {
      const { stepId } = event.data;
      const before = entryOf(state.steps, stepId) ?? { ...reached, startedAt: at };
      return { ...state, steps: { ...state.steps, [stepId]: advance(before, event, at) } };
    }
  }
}

/** Nothing happens to its steps any more, whatever they were about. */
function over(state: ExecutionView, at: number): ExecutionView {
  const steps = Object.entries(state.steps).map(([id, record]) => [
    id,
    record.endedAt !== null ? record : { ...record, state: 'cancelled' as const, endedAt: at, until: null },
  ]);
  return { ...state, endTime: at, steps: Object.fromEntries(steps) };
}

type StepEvent = Extract<WorkflowEvent, { data: { stepId: string } & { code?: never } }>;

function advance(before: StepRecord, event: StepEvent, at: number): StepRecord {
  switch (event.type) {
    case 'workflow.step.started':
      return { ...before, state: 'running', attempts: event.data.attempt, until: null };
    case 'workflow.topic.published':
      return { ...before, isPublished: true };
    case 'workflow.step.completed':
      return { ...before, state: 'completed', endedAt: at, until: null, output: event.data.output };
    case 'workflow.step.skipped':
      return { ...before, state: 'skipped', endedAt: at };
    case 'workflow.wait.begun':
      return { ...before, state: 'waiting', until: event.data.until };
    case 'workflow.step.failed': {
      const { error, retryAt } = event.data;
      const failed = { ...before, failures: before.failures + 1, error };
      return retryAt === null
        ? { ...failed, state: 'failed', endedAt: at }
        : { ...failed, state: 'waiting', until: retryAt };
    }
  }
}
