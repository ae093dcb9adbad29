import { sessionEnded } from '../../events/chat.ts';
import { type EventDefinition, type EventOf, isEvent } from '../../events/definition.ts';
import { entityMentioned } from '../../events/entities.ts';
import { maintenanceCompleted, maintenanceFailed } from '../../events/maintenance.ts';
import { consolidationAsked, conversationConsolidated, memoryEvents } from '../../events/memory.ts';
import { runFailed, runRetried, runSucceeded, taskFired } from '../../events/scheduler.ts';
import { readTurnEnding, turnEndings } from '../../events/turnEndings.ts';
import { executionEndings } from '../../events/workflows.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { contextOf, named } from '../../tracing/context.ts';
import type { Span } from '../../tracing/span.ts';
import { findReceived } from '../chat/received.ts';
import { memorySpans } from './memorySpans.ts';
import { sweepSpans } from './sweepSpans.ts';
import { spanIn, type TracedEvent } from './traced.ts';
import { turnSpans } from './turnSpans.ts';
import { workflowSpans } from './workflowSpans.ts';

/*
 * With which event the spans of what belongs together are complete. Each event of memory beside a sweep stands for
 * itself; those of a sweep come with its end.
 */

const sweepEndings: readonly EventDefinition[] = [maintenanceCompleted, maintenanceFailed];
const ofSweeps =
  /^memory\.(maintenance\.|contradiction|episode\.flagged|conclusion\.(flagged|decayed|merged|pruned))/;
const changes = [...memoryEvents.filter(({ type }) => !ofSweeps.test(type)), entityMentioned];

export const completing: readonly EventDefinition[] = [
  ...turnEndings,
  ...executionEndings,
  ...sweepEndings,
  runSucceeded,
  runFailed,
  ...changes,
];
const changeTypes: ReadonlySet<string> = new Set(changes.map(({ type }) => type));
const workflowEndingTypes: ReadonlySet<string> = new Set(executionEndings.map(({ type }) => type));

export interface SpanOptions {
  /** Texts too, as far as they are not erased. */
  readonly withContent: boolean;
}

/** The spans that are complete with this event; none of a trace that its caller does not record. */
export async function spansOf(
  store: EventReader,
  event: StoredEvent,
  { withContent }: SpanOptions,
): Promise<readonly Span[]> {
  if (!contextOf(event.correlationId).isSampled) return [];
  const traced = (stored: StoredEvent) => tracedOf(stored, withContent);
  const from = async (fromVersion: number) => {
    const events: TracedEvent[] = [];
    for await (const page of store.readStream(event.stream, { fromVersion, untilPosition: event.position }))
      events.push(...page.map(traced));
    return events;
  };
  const last = traced(event);
  const turn = readTurnEnding(last);
  if (turn) {
    const { turnId } = turn.data;
    const received = await findReceived(store, event.owner, turnId);
    return received?.stream === event.stream ? turnSpans(await from(received.version), turnId) : [];
  }
  if (workflowEndingTypes.has(event.type)) return workflowSpans(await from(1));
  if (isEvent(last, maintenanceCompleted))
    return sweepSpans(await from(last.data.firstVersion), last.data.sweepId);
  if (isEvent(last, maintenanceFailed)) return sweepSpans(await from(1), last.data.sweepId);
  if (isEvent(last, runSucceeded)) return spansOfRun(await causeOf(store, last), last);
  if (isEvent(last, runFailed)) return spansOfRun(await causeOf(store, last), last, last.data.code);
  return spansOfChange(store, last);
}

/** An attempt at an occurrence of a task. What is said or done in it lies in it, or in its trace. */
function spansOfRun(
  begun: TracedEvent | undefined,
  { at, correlationId, data }: EventOf<typeof runSucceeded | typeof runFailed> & TracedEvent,
  error?: string,
): readonly Span[] {
  if (!begun || !(isEvent(begun, taskFired) || isEvent(begun, runRetried))) return [];
  const { taskId, occurrenceId, attempt } = data;
  const run = {
    is: named.run(`${occurrenceId}-${attempt}`),
    name: 'invoke_workflow scheduled_task',
    startMs: begun.at,
    endMs: at,
    error,
    attributes: {
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'scheduled_task',
      'hark.task.id': taskId,
      'hark.task.occurrence.id': occurrenceId,
      'hark.task.attempt': attempt,
      'hark.task.topic': isEvent(begun, taskFired) ? begun.data.topic : undefined,
    },
  };
  return [spanIn(contextOf(correlationId), run)];
}

/** What followed from a turn lies in it, and what followed from the end of a session in its consolidation. */
async function spansOfChange(store: EventReader, change: TracedEvent): Promise<readonly Span[]> {
  const cause = await causeOf(store, change);
  if (isEvent(change, conversationConsolidated)) {
    if (!cause) return [];
    const consolidation = {
      is: named.event(cause.id),
      name: 'invoke_workflow memory_consolidation',
      startMs: cause.at,
      endMs: change.at,
      attributes: {
        'gen_ai.operation.name': 'invoke_workflow',
        'gen_ai.workflow.name': 'memory_consolidation',
        'gen_ai.conversation.id': change.data.sessionId,
        'hark.consolidation.skipped': change.data.skipped,
      },
    };
    return [spanIn(contextOf(change.correlationId), consolidation)];
  }
  return memorySpans(change, cause?.correlationId === change.correlationId ? partOf(cause) : undefined);
}

/** What an event set off is a part of this. */
function partOf(cause: TracedEvent): string | undefined {
  const turn = readTurnEnding(cause);
  if (turn) return named.turn(turn.data.turnId);
  const hasSpan =
    isEvent(cause, sessionEnded) || isEvent(cause, consolidationAsked) || changeTypes.has(cause.type);
  return hasSpan ? named.event(cause.id) : undefined;
}

async function causeOf(store: EventReader, { causationId }: TracedEvent): Promise<TracedEvent | undefined> {
  const [, stream, version] = /^(.+)@(\d+)$/.exec(causationId ?? '') ?? [];
  if (stream === undefined) return undefined;
  for await (const [cause] of store.readStream(stream, { fromVersion: Number(version), firstPage: 1 }))
    return cause?.id === causationId ? tracedOf(cause, false) : undefined;
  return undefined;
}

function tracedOf(event: StoredEvent, withContent: boolean): TracedEvent {
  const { id, type, at, correlationId, causationId } = event;
  return { id, type, at, correlationId, causationId, data: withContent ? event.data : event.sealed.data };
}
