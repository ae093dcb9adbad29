import { z } from 'zod';
import { HarkError } from '../../errors.ts';
import { FIRED, topicOf } from '../../projections/scheduler/topic.ts';
import type { Position, Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import type { Kvstore } from '../kvstore.ts';
import { type AnyOperation, defineOperation, defineStream, type StreamMessage } from '../operation.ts';

const area = 'events';

const position = z.int().nonnegative();
const positionText = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .pipe(position);

const envelope = z.object({
  position,
  id: z.string(),
  stream: z.string(),
  version: z.int(),
  type: z.string(),
  at: z.number(),
  userId: z.string().nullable(),
  correlationId: z.string(),
  causationId: z.string().nullable(),
  data: z.unknown(),
  /** There and true when its personal text was forgotten. */
  erased: z.boolean().optional(),
});

const MOST_TOPICS = 50;
const topics = z
  .string()
  .regex(/^[a-zA-Z0-9_.:*-]{1,128}(,[a-zA-Z0-9_.:*-]{1,128})*$/)
  .transform((list) => list.split(','))
  .refine((list) => list.length <= MOST_TOPICS, `At most ${MOST_TOPICS} topics`);

/** `eventTypes` are all that the log may hold; topics are matched against them. */
export function eventOperations(kvstore: Kvstore, eventTypes: readonly string[]): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'events.list',
      area,
      summary: "The caller's events and the system's, oldest first",
      description: 'Ask again with `after` set to the `next` of the answer before.',
      rest: { method: 'GET', path: '/api/events' },
      input: z.object({
        stream: z.string().min(1).max(256).optional(),
        type: z.string().min(1).max(128).optional(),
        after: positionText.optional(),
        limit: z.coerce.number().int().min(1).max(1_000).default(100),
      }),
      output: z.object({ events: z.array(envelope), next: position }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { type: 'config:changed', limit: 10 } },
      async run({ stream, type, after = 0, limit }, { userId }) {
        const { store } = kvstore.connected();
        await refuseBeyond(store, after);
        const wanted = { userId, after, limit, ...(type === undefined ? {} : { type }) };
        return stream === undefined ? listLog(store, wanted) : listStream(store, stream, wanted);
      },
    }),
    defineStream({
      name: 'events.follow',
      area,
      summary: "The caller's events and the system's as they happen",
      description:
        'Each message has the position as its `id`, the topic as its `event` and the event as its `data`. ' +
        'What a scheduled task fired is a `schedule.task.fired` under the topic of the task. ' +
        '`Last-Event-ID` or `after` resumes with nothing lost and nothing twice; without either it starts now.',
      rest: { method: 'GET', path: '/api/events/stream' },
      input: z.object({ topics: topics.optional(), after: positionText.optional() }),
      message: envelope,
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { topics: 'config:changed,system.*' } },
      async run({ topics: patterns, after }, { userId, signal, lastEventId }) {
        const { store } = kvstore.connected();
        const resumed = lastEventId === undefined ? after : readPosition(lastEventId);
        const from = resumed ?? (await store.head());
        await refuseBeyond(store, from);
        const range = { after: from, userId, ...(patterns ? { types: typesOf(patterns, eventTypes) } : {}) };
        return follow(store, range, patterns, signal);
      },
    }),
  ];
}

interface Wanted {
  readonly userId: string;
  readonly after: Position;
  readonly limit: number;
  readonly type?: string;
}

interface Page {
  readonly events: StoredEvent[];
  /** Everything up to here has been looked at. */
  readonly next: Position;
}

async function listLog(store: Store, { limit, type, ...range }: Wanted): Promise<Page> {
  const events: StoredEvent[] = [];
  const types = type === undefined ? {} : { types: new Set([type]) };
  let next = range.after;
  for await (const batch of store.readAll({ ...range, ...types })) {
    for (const event of batch.events) {
      events.push(event);
      if (events.length === limit) return { events, next: event.position };
    }
    next = batch.position;
  }
  return { events, next };
}

async function listStream(store: Store, stream: string, wanted: Wanted): Promise<Page> {
  const events: StoredEvent[] = [];
  // Taken before reading: what is appended meanwhile belongs to the next page.
  const head = await store.head();
  const range = { afterPosition: wanted.after, untilPosition: head, firstPage: wanted.limit };
  for await (const batch of store.readStream(stream, range)) {
    for (const event of batch) {
      if (!isWanted(event, wanted)) continue;
      events.push(event);
      if (events.length === wanted.limit) return { events, next: event.position };
    }
  }
  return { events, next: Math.max(wanted.after, head) };
}

/** A stream has one owner; whoever names another's finds it empty. */
function isWanted(event: StoredEvent, { userId, type }: Wanted): boolean {
  if (event.userId !== null && event.userId !== userId) return false;
  return type === undefined || event.type === type;
}

async function* follow(
  store: Store,
  range: Parameters<Store['follow']>[0],
  patterns: readonly string[] | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamMessage[]> {
  // Positions of another log mean something else: readers have to come back and say where they stand.
  const replaced = new AbortController();
  const unsubscribe = store.onReplaced(() => replaced.abort());
  try {
    for await (const { events } of store.follow(range, AbortSignal.any([signal, replaced.signal]))) {
      const wanted = patterns ? events.filter((event) => isAmong(patterns, event)) : events;
      if (wanted.length > 0) yield wanted.map(toMessage);
    }
  } finally {
    unsubscribe();
  }
}

function toMessage(event: StoredEvent): StreamMessage {
  return { id: String(event.position), event: topicOf(event), data: event };
}

/** What a task fired may be published under any topic. */
function typesOf(patterns: readonly string[], eventTypes: readonly string[]): ReadonlySet<string> {
  return new Set([...eventTypes.filter((type) => matches(patterns, type)), FIRED]);
}

function isAmong(patterns: readonly string[], event: StoredEvent): boolean {
  if (event.type !== FIRED) return true;
  return matches(patterns, event.type) || matches(patterns, topicOf(event));
}

function matches(patterns: readonly string[], topic: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? topic.startsWith(pattern.slice(0, -1)) : topic === pattern,
  );
}

function readPosition(text: string): Position {
  const parsed = positionText.safeParse(text);
  if (!parsed.success)
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: [{ path: ['Last-Event-ID'], message: 'Not a position' }] },
    });
  return parsed.data;
}

async function refuseBeyond(store: Store, after: Position): Promise<void> {
  if (after > (await store.head()))
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: [{ path: ['after'], message: 'Lies beyond the end of the log' }] },
    });
}
