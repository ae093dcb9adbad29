import { isEvent } from '../../events/definition.ts';
import { maintenanceCompleted, maintenanceFailed, maintenanceStarted } from '../../events/maintenance.ts';
import { contextOf } from '../../tracing/context.ts';
import type { Span } from '../../tracing/span.ts';
import { memorySpans } from './memorySpans.ts';
import { spanIn, type TracedEvent } from './traced.ts';

/** The spans of a sweep that is over, from its events in their order: of the whole, and of what it changed. */
export function sweepSpans(events: readonly TracedEvent[], sweepId: string): readonly Span[] {
  const own = events.filter(({ data }) => Object(data).sweepId === sweepId);
  const started = own.find((event) => isEvent(event, maintenanceStarted));
  const last = own.at(-1);
  if (!started || !last) return [];
  const within = `sweep ${sweepId}`;
  const changes = own.flatMap((event) =>
    memorySpans({ ...event, correlationId: started.correlationId }, within),
  );
  const failed = isEvent(last, maintenanceFailed) ? last.data.code : undefined;
  const summary = isEvent(last, maintenanceCompleted) ? last.data.summary : undefined;
  const whole = spanIn(contextOf(started.correlationId), {
    is: within,
    name: 'invoke_workflow memory_sweep',
    startMs: started.at,
    endMs: last.at,
    error: failed,
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'memory_sweep',
      'hark.sweep.id': sweepId,
      'hark.sweep.contradictions': summary?.contradictions,
      'hark.sweep.stale': summary?.stale,
      'hark.sweep.redundant': summary?.redundant,
      'hark.sweep.pruned': summary?.pruned,
      'hark.sweep.decayed': summary?.decayed,
    },
  });
  return [...changes, whole];
}
