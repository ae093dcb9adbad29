import { eventCatalog } from '../../src/events/catalog.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import type { Projection } from '../../src/projections/projection.ts';
import { viewAt } from '../../src/projections/runtime.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { NOW } from './given.ts';

/** What a projection shows after these events, a second apart and the first at `NOW`. */
export async function viewAfter<State>(
  projection: Projection<State>,
  ...events: readonly NewEvent[]
): Promise<State> {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  for (const [index, event] of events.entries()) {
    await log.append({
      stream: 'test',
      events: [event],
      expected: 'any',
      at: NOW + index * 1_000,
      // What is personal is somebody's.
      userId: eventCatalog.find(({ type }) => type === event.type)?.personal ? 'ann' : null,
      correlationId: 'test',
      causationId: null,
    });
  }
  return viewAt(log, projection, events.length);
}
