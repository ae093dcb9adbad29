import { entryOf } from '../../entryOf.ts';
import type { PastEvent } from '../../events/definition.ts';
import type { WorkflowDefinition } from '../../events/workflowDefinition.ts';
import { readWorkflowEvent, type WorkflowEvent } from '../../events/workflows.ts';
import type { StreamFold } from '../../folds/streamFold.ts';

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

interface Facts {
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

/** One execution, as far as it got. */
export interface ExecutionState extends Facts {
  readonly phase: 'unknown' | 'running' | 'completed' | 'failed' | 'cancelled';
}

const nothing: ExecutionState = {
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

export const executionState: StreamFold<ExecutionState> = {
  name: 'execution',
  version: 2,
  initial: nothing,
  evolve(state, past) {
    const event = readWorkflowEvent(past);
    return event ? evolve(state, event, past) : state;
  },
};

function evolve(state: ExecutionState, event: WorkflowEvent, { at }: PastEvent): ExecutionState {
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
function over(state: ExecutionState, at: number): ExecutionState {
  const steps = Object.entries(state.steps).map(([id, record]) => [
    id,
    isOver(record) ? record : { ...record, state: 'cancelled' as const, endedAt: at, until: null },
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

/** Its user's: the same id of another user is another execution. No id has a dot. */
export function executionStream(userId: string, { executionId }: { readonly executionId: string }): string {
  return `run-${userId}.${executionId}`;
}

/** No more happens to a step after this. */
export function isOver(record: StepRecord | undefined): boolean {
  return record?.endedAt != null;
}
