import { isDeepStrictEqual } from 'node:util';
import type { EventReader, Position, Snapshots } from '../../../store/port.ts';
import type { StoredEvent } from '../../../store/storedEvent.ts';
import type { Fields, Shown } from './shown.ts';

interface Cause {
  readonly position: Position;
  readonly type: string;
  readonly at: number;
  readonly correlationId: string;
}

export interface Change {
  readonly show: string;
  readonly key: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly before: Fields | null;
  readonly after: Fields | null;
  readonly events: readonly Cause[];
}

/** What two states of one log differ in, and the events in between that had to do with each difference. */
export async function changesBetween(
  store: EventReader & Snapshots,
  shown: Shown,
  { from, to, userId }: { from: Position; to: Position; userId: string },
): Promise<Change[]> {
  const before = await shown.entriesAt(store, from, userId);
  const after = await shown.entriesAt(store, to, userId);
  const causes = new Map<string, Cause[]>();
  const range = { after: from, until: to, userId, types: new Set(shown.handles) };
  for await (const { events } of store.readAll(range)) {
    for (const event of events) {
      for (const key of shown.keysOf(event)) causes.set(key, [...(causes.get(key) ?? []), causeOf(event)]);
    }
  }
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key) => {
    const difference = differenceOf(before.get(key) ?? null, after.get(key) ?? null);
    return difference ? [{ show: shown.name, key, ...difference, events: causes.get(key) ?? [] }] : [];
  });
}

function differenceOf(
  before: Fields | null,
  after: Fields | null,
): Pick<Change, 'change' | 'before' | 'after'> | undefined {
  if (isDeepStrictEqual(before, after)) return undefined;
  if (before === null) return { change: 'added', before, after };
  return { change: after === null ? 'removed' : 'changed', before, after };
}

function causeOf({ position, type, at, correlationId }: StoredEvent): Cause {
  return { position, type, at, correlationId };
}
