import { isEvent } from '../../events/definition.ts';
import { entityMentioned } from '../../events/entities.ts';
import { type MemoryEvent, readMemoryEvent } from '../../events/memory.ts';
import { contextOf, named } from '../../tracing/context.ts';
import type { Span } from '../../tracing/span.ts';
import { spanIn, type TracedEvent } from './traced.ts';

type Operation = 'create_memory' | 'update_memory' | 'upsert_memory' | 'delete_memory';

/** What an event did to memory. One record is named; of several, it is how many. */
interface Change {
  readonly operation: Operation;
  readonly records: readonly string[];
  readonly text?: string | null;
}

/** Of one user, all that is remembered is one store. */
const STORE = 'memory';

/**
 * What an event did to memory, if it did: undefined for one that only measures or plans. The log says when it was done;
 * how long it took nobody wrote down, so that such a span has no length.
 */
function changeIn(event: MemoryEvent): Change | undefined {
  switch (event.type) {
    case 'memory.episode.created':
      return { operation: 'create_memory', records: [event.data.episodeId], text: event.data.summary };
    case 'memory.conclusion.drawn':
      return { operation: 'create_memory', records: [event.data.conclusionId], text: event.data.text };
    case 'memory.profile.changed':
      return { operation: 'upsert_memory', records: ['profile'] };
    case 'memory.conclusion.strengthened':
    case 'memory.conclusion.superseded':
    case 'memory.conclusion.contradicted':
    case 'memory.conclusion.restored':
    case 'memory.conclusion.flagged':
    case 'memory.conclusion.decayed':
    case 'memory.conclusion.merged':
    case 'memory.contradiction.detected':
    // It can be restored, and is forgotten later.
    case 'memory.conclusion.pruned':
      return { operation: 'update_memory', records: [event.data.conclusionId] };
    case 'memory.episode.flagged':
      return { operation: 'update_memory', records: [event.data.episodeId] };
    case 'memory.conclusions.erased':
      return { operation: 'delete_memory', records: event.data.conclusionIds };
    case 'memory.episodes.erased':
    case 'memory.episodes.expired':
      return { operation: 'delete_memory', records: event.data.episodes.map(({ episodeId }) => episodeId) };
    case 'memory.conversations.expired':
      return { operation: 'delete_memory', records: event.data.conversationIds };
    case 'memory.transcript.erased':
      return { operation: 'delete_memory', records: [event.data.conversationId] };
    case 'memory.erased':
      return { operation: 'delete_memory', records: [] };
    default:
      return undefined;
  }
}

/** The span of what an event did to memory; none where it did nothing, or did it to nothing. */
export function memorySpans(traced: TracedEvent, within?: string): readonly Span[] {
  const change = changeOf(traced);
  if (!change) return [];
  const { operation, records, text } = change;
  if (records.length === 0 && traced.type !== 'memory.erased') return [];
  return [
    spanIn(contextOf(traced.correlationId), {
      is: named.event(traced.id),
      within,
      name: `${operation} ${STORE}`,
      startMs: traced.at,
      endMs: traced.at,
      attributes: {
        'gen_ai.operation.name': operation,
        'gen_ai.provider.name': 'hark',
        'gen_ai.memory.store.id': STORE,
        'gen_ai.memory.record.id': records.length === 1 ? records[0] : undefined,
        'gen_ai.memory.record.count': records.length === 0 ? undefined : records.length,
        'gen_ai.memory.records': text == null ? null : JSON.stringify([{ id: records[0], content: text }]),
        'hark.event.type': traced.type,
      },
    }),
  ];
}

function changeOf(traced: TracedEvent): Change | undefined {
  const event = readMemoryEvent(traced);
  if (event) return changeIn(event);
  if (!isEvent(traced, entityMentioned)) return undefined;
  return { operation: 'upsert_memory', records: [traced.data.entityId] };
}
