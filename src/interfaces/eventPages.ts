import { isAmong, isPublishedAs, typesOf, typesPublishedAs } from '../projections/scheduler/topic.ts';
import type { EventReader, LogRange, Position } from '../store/port.ts';
import type { StoredEvent } from '../store/storedEvent.ts';

/** So many events are looked at for one page at most: what is rare is found over several. */
const MOST_LOOKED_AT = 20_000;

export interface Wanted {
  readonly userId: string;
  readonly limit: number;
  readonly type?: string | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly correlationId?: string | undefined;
  /** What happened later is not (Unix ms). */
  readonly at?: number | undefined;
}

interface Page {
  readonly events: StoredEvent[];
  /** Everything up to here has been looked at. */
  readonly next: Position;
}

/** The first of what is wanted after a position, oldest first. `eventTypes` are all that the log may hold. */
export async function pageAfter(
  store: EventReader,
  eventTypes: readonly string[],
  after: Position,
  wanted: Wanted,
): Promise<Page> {
  const events: StoredEvent[] = [];
  const range = { ...rangeOf(wanted, eventTypes), after };
  let next = after;
  for await (const batch of store.readAll(range)) {
    for (const event of batch.events) {
      if (!isWanted(event, wanted)) continue;
      events.push(event);
      if (events.length === wanted.limit) return { events, next: event.position };
    }
    next = batch.position;
    if (wanted.correlationId !== undefined && next - after >= MOST_LOOKED_AT) break;
  }
  return { events, next };
}

/**
 * The last of what is wanted before a position, oldest first: read in windows back from there, each twice as long as
 * the one before. `next` leads to the page before this one, as another `before`; at the beginning of the log it is 0.
 */
export async function pageBefore(
  store: EventReader,
  eventTypes: readonly string[],
  before: Position,
  wanted: Wanted,
): Promise<Page> {
  const range = rangeOf(wanted, eventTypes);
  let events: StoredEvent[] = [];
  let until = Math.min(before - 1, await store.head());
  const least = Math.max(0, until - MOST_LOOKED_AT);
  for (let length = wanted.limit; until > least && events.length < wanted.limit; length *= 2) {
    const after = Math.max(least, until - length);
    const found: StoredEvent[] = [];
    for await (const batch of store.readAll({ ...range, after, until }))
      for (const event of batch.events) if (isWanted(event, wanted)) found.push(event);
    events = [...found, ...events];
    until = after;
  }
  const kept = events.slice(-wanted.limit);
  // Where the page is full, what lies before its first; else what was not looked at.
  const next = kept.length === wanted.limit ? (kept[0]?.position ?? 0) : until + 1;
  return { events: kept, next: next <= 1 ? 0 : next };
}

/** The same of one stream, which has one owner: whoever names another's finds it empty. */
export async function pageOfStream(
  store: EventReader,
  stream: string,
  after: Position,
  wanted: Wanted,
): Promise<Page> {
  const events: StoredEvent[] = [];
  // Taken before reading: what is appended meanwhile belongs to the next page.
  const head = await store.head();
  const range = { afterPosition: after, untilPosition: head, firstPage: wanted.limit };
  for await (const batch of store.readStream(stream, range)) {
    for (const event of batch) {
      if (event.userId !== null && event.userId !== wanted.userId) continue;
      if (!isWanted(event, wanted)) continue;
      events.push(event);
      if (events.length === wanted.limit) return { events, next: event.position };
    }
  }
  return { events, next: Math.max(after, head) };
}

function rangeOf({ userId, type, topics }: Wanted, eventTypes: readonly string[]): Omit<LogRange, 'after'> {
  if (type !== undefined) return { userId, types: typesPublishedAs(type) };
  return topics === undefined ? { userId } : { userId, types: typesOf(topics, eventTypes) };
}

function isWanted(event: StoredEvent, { type, topics, correlationId, at }: Wanted): boolean {
  if (at !== undefined && event.at > at) return false;
  if (correlationId !== undefined && event.correlationId !== correlationId) return false;
  if (type !== undefined && !isPublishedAs(type, event)) return false;
  return topics === undefined || isAmong(topics, event);
}
