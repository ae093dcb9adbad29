import { readWorkflowEvent } from '../../events/workflows.ts';
import { contextOf, type TraceContext } from '../../tracing/context.ts';
import type { Span } from '../../tracing/span.ts';
import { spanIn, type TracedEvent } from './traced.ts';

interface ExecutionTrace {
  readonly context: TraceContext;
  readonly executionId: string;
  readonly workflowId: string;
  readonly startMs: number;
  /** Attempts that are under way, by step. */
  readonly open: Map<string, { readonly attempt: number; readonly at: number }>;
  readonly spans: Span[];
}

/** The spans of an execution of a workflow that is over, from its events in their order: each attempt at a step is one. */
export function workflowSpans(events: readonly TracedEvent[]): readonly Span[] {
  let execution: ExecutionTrace | undefined;
  for (const traced of events) {
    const event = readWorkflowEvent(traced);
    if (event?.type === 'workflow.execution.started') {
      const { executionId, workflowId } = event.data;
      const context = contextOf(traced.correlationId);
      execution = { context, executionId, workflowId, startMs: traced.at, open: new Map(), spans: [] };
      continue;
    }
    if (!event || !execution) continue;
    const { at } = traced;
    switch (event.type) {
      case 'workflow.step.started':
        execution.open.set(event.data.stepId, { attempt: event.data.attempt, at });
        break;
      case 'workflow.wait.begun':
        execution.open.set(event.data.stepId, { attempt: 1, at });
        break;
      case 'workflow.step.completed':
        endStep(execution, event.data.stepId, at);
        break;
      case 'workflow.step.failed':
        endStep(execution, event.data.stepId, at, 'STEP_FAILED');
        break;
      case 'workflow.execution.completed':
        return end(execution, at);
      case 'workflow.execution.failed':
        return end(execution, at, event.data.code);
      case 'workflow.execution.cancelled':
        return end(execution, at, 'cancelled');
      default:
    }
  }
  return [];
}

const nameOf = (executionId: string) => `execution ${executionId}`;

function endStep(
  { context, executionId, workflowId, open, spans }: ExecutionTrace,
  stepId: string,
  at: number,
  error?: string,
) {
  const begun = open.get(stepId);
  if (!begun) return;
  open.delete(stepId);
  spans.push(
    spanIn(context, {
      is: `${nameOf(executionId)} ${stepId} ${begun.attempt}`,
      within: nameOf(executionId),
      name: `workflow_step ${stepId}`,
      startMs: begun.at,
      endMs: at,
      error,
      attributes: {
        'gen_ai.workflow.name': workflowId,
        'hark.workflow.step.id': stepId,
        'hark.workflow.step.attempt': begun.attempt,
      },
    }),
  );
}

function end(execution: ExecutionTrace, at: number, error?: string): readonly Span[] {
  const { context, executionId, workflowId, startMs, open, spans } = execution;
  for (const stepId of [...open.keys()]) endStep(execution, stepId, at, error ?? 'cancelled');
  const whole = spanIn(context, {
    is: nameOf(executionId),
    name: `invoke_workflow ${workflowId}`,
    startMs,
    endMs: at,
    error,
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': workflowId,
      'hark.workflow.execution.id': executionId,
    },
  });
  return [...spans, whole];
}
