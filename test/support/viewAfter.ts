import { eventCatalog } from '../../src/events/catalog.ts';
import type { NewEvent } from '../../src/events/definition.ts';
import type { Projection } from '../../src/projections/projection.ts';
import { viewAt } from '../../src/projections/runtime.ts';
import { Log } from '../../src/store/log.ts';
import { MemoryAdapter } from '../../src/store/memory/adapter.ts';
import { NOW } from './given.ts';

/** What a projection shows after these events, a second apart and the first at `NOW`. */
export function viewAfter<State>(
  projection: Projection<State>,
  ...events: readonly NewEvent[]
): Promise<State> {
  // What is personal is somebody's.
  const isPersonal = (event: NewEvent) => eventCatalog.find(({ type }) => type === event.type)?.personal;
  const written = events.map((event) => ({ event, userId: isPersonal(event) ? 'ann' : null }));
  return viewOf(projection, written);
}

/** The same where all of them are this user's. */
export function viewAfterOf<State>(
  userId: string,
  projection: Projection<State>,
  ...events: readonly NewEvent[]
): Promise<State> {
  return viewOf(
    projection,
    events.map((event) => ({ event, userId })),
  );
}

async function viewOf<State>(
  projection: Projection<State>,
  written: readonly { readonly event: NewEvent; readonly userId: string | null }[],
): Promise<State> {
  const log = await Log.open(new MemoryAdapter(), eventCatalog);
  const place = { stream: 'test', expected: 'any', correlationId: 'test', causationId: null } as const;
  for (const [index, { event, userId }] of written.entries())
    await log.append({ ...place, events: [event], at: NOW + index * 1_000, userId });
  return viewAt(log, projection, written.length);
}
