import { z } from 'zod';
import { HarkError } from '../errors.ts';
import { lazily } from '../lazily.ts';
import { isAmong, typesOf } from '../projections/scheduler/topic.ts';
import type { Deliveries, EventBatch, EventReader, Position } from '../store/port.ts';

export const position = lazily(() => z.int().nonnegative());
export const positionText = lazily(() =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a position')
    .transform(Number)
    .pipe(position()),
);

const MOST_TOPICS = 50;
const topic = lazily(() =>
  z
    .string()
    .regex(
      /^(?=.{1,128}$)[a-zA-Z0-9_.:-]*\*?$/,
      'must be 1 to 128 letters, digits, _, ., : or -, and may end with a *',
    ),
);
/** Names, or beginnings of names with a `*` at the end. */
export const topicList = lazily(() => z.array(topic()).min(1).max(MOST_TOPICS));
export const topics = lazily(() =>
  z
    .string()
    .transform((list) => list.split(','))
    .pipe(topicList()),
);

/** What of the log somebody wants to follow. */
export const topicQuery = lazily(() =>
  z.object({ topics: topics().optional(), after: positionText().optional() }),
);

export interface TopicChoice {
  readonly userId: string;
  readonly topics?: readonly string[] | undefined;
}

interface Wish {
  readonly after?: Position | undefined;
  readonly lastEventId: string | undefined;
}

/** From where on somebody wants to follow: from now on, or from a position of this log. */
export async function startOf(
  store: EventReader & Deliveries,
  { after, lastEventId }: Wish,
): Promise<Position> {
  const from = lastEventId === undefined ? after : readPosition(lastEventId);
  if (from === undefined) return store.head();
  await refuseBeyond(store, from);
  return from;
}

/**
 * The events of a user and the system's on these topics, none in a batch that only says how far it was looked.
 * `eventTypes` are all that the log may hold.
 */
export async function* followTopics(
  store: EventReader & Deliveries,
  eventTypes: readonly string[],
  { userId, topics: patterns, after }: TopicChoice & { readonly after: Position },
  signal: AbortSignal,
): AsyncGenerator<EventBatch> {
  const range = { after, userId, ...(patterns ? { types: typesOf(patterns, eventTypes) } : {}) };
  // Positions of another log mean something else: readers have to come back and say where they stand.
  const replaced = new AbortController();
  const unsubscribe = store.onReplaced(() => replaced.abort());
  try {
    for await (const { events, position } of store.follow(range, AbortSignal.any([signal, replaced.signal])))
      yield { events: patterns ? events.filter((event) => isAmong(patterns, event)) : events, position };
  } finally {
    unsubscribe();
  }
}

function readPosition(text: string): Position {
  const parsed = positionText().safeParse(text);
  if (!parsed.success)
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: [{ path: ['Last-Event-ID'], message: 'Not a position' }] },
    });
  return parsed.data;
}

export async function refuseBeyond(store: EventReader & Deliveries, after: Position): Promise<void> {
  if (after > (await store.head()))
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: [{ path: ['after'], message: 'Lies beyond the end of the log' }] },
    });
}
