import { expireConversations, expireEpisodes } from '../../commands/memory/forgetting.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { sessionEnded } from '../../events/chat.ts';
import { replySent, turnEndings } from '../../events/turnEndings.ts';
import { endedConversations } from '../../projections/memory/endedConversations.ts';
import { nextExpiries } from '../../projections/memory/nextExpiries.ts';
import type { Views } from '../../projections/runtime.ts';
import type { Cursors, EventReader, Position } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { looks } from '../dueTimes.ts';
import type { TimedSaga } from '../saga.ts';
import { CONSOLIDATION } from './consolidation.ts';
import { REMEMBERING } from './remembering.ts';

const LOOK_EVERY_MS = 60 * 60_000;

interface RetentionContext {
  readonly store: EventReader & Cursors;
  readonly runner: CommandRunner;
  readonly views: Views;
}

interface RetentionOptions {
  readonly context: () => RetentionContext;
  readonly retentionMs: () => number;
}

/** Of a user, what has been kept for long enough by a moment. */
interface OverdueMemory {
  readonly userId: string;
  /** With episodes, and what else is kept for so long. */
  readonly streams: readonly string[];
  readonly now: number;
  /** Conversations that were over by then. */
  readonly endedBy: number;
}

interface Moment {
  readonly userId: string;
  readonly at: number;
}

interface KeptMemory {
  /** When something has been kept for long enough, by stream. */
  readonly expiries: Readonly<Record<string, Moment>>;
  /** When the first conversation of each user ended. */
  readonly ended: Iterable<Moment>;
}

/** Erases what is older than it may become. */
export function expireMemory({ context, retentionMs }: RetentionOptions): TimedSaga<OverdueMemory> {
  return {
    name: 'expire-memory',
    on: looks((now) => {
      const { views } = context();
      const { byStream: expiries } = views.view(nextExpiries);
      const ended = Object.values(views.view(endedConversations).byUser);
      return overdueAmong({ expiries, ended }, retentionMs(), now);
    }),
    // What could not be erased is found by the next look.
    retry: { tries: 1 },
    // One user after the other: nobody waits for it.
    key: () => 'memory',
    async react(overdue, { signal }) {
      await expireEpisodesOf(context(), overdue, signal);
      // After the episodes: what none of them tells of any more by then goes as well.
      await expireConversationsOf(context(), overdue, signal);
    },
  };
}

/** Whose memory holds what has been kept for long enough, each once, and when to look again. */
export function overdueAmong({ expiries, ended }: KeptMemory, retentionMs: number, now: number) {
  const endedBy = now - retentionMs;
  const streamsOf = new Map<string, string[]>();
  const add = (userId: string, ...streams: string[]) =>
    streamsOf.set(userId, [...(streamsOf.get(userId) ?? []), ...streams]);
  for (const [stream, { userId, at }] of Object.entries(expiries)) if (at <= now) add(userId, stream);
  for (const { userId, at } of ended) if (at <= endedBy) add(userId);
  const due = Array.from(
    streamsOf,
    ([userId, streams]): OverdueMemory => ({ userId, streams, now, endedBy }),
  );
  return { due, again: now + LOOK_EVERY_MS };
}

/** A batch at a time, so that others get their turn. */
async function expireEpisodesOf(
  { runner, views }: RetentionContext,
  { userId, streams, now }: OverdueMemory,
  signal: AbortSignal,
): Promise<void> {
  for (const stream of streams) {
    const isDue = () => (views.view(nextExpiries).byStream[stream]?.at ?? Number.POSITIVE_INFINITY) <= now;
    while (!signal.aborted && isDue()) await runner.run(expireEpisodes, { now }, contextOf(userId, now));
  }
}

async function expireConversationsOf(
  { store, runner, views }: RetentionContext,
  { userId, now, endedBy }: OverdueMemory,
  signal: AbortSignal,
): Promise<void> {
  const first = () => views.view(endedConversations).byUser[`user-${userId}`];
  for (let next = first(); !signal.aborted && next && next.at <= endedBy; next = first()) {
    const { after } = next;
    const found = await findEndedTalk(store, { userId, after, endedBy });
    // What waits to be consolidated is looked for the next time.
    if (found.upTo === after) return;
    await runner.run(expireConversations, { ...found, after }, contextOf(userId, now));
  }
}

function contextOf(userId: string, now: number) {
  return { userId, correlationId: `retention-${now}` };
}

/** So many at once: each takes a key with it, and others wait for their turn meanwhile. */
const CONVERSATIONS_AT_ONCE = 500;

const endings: ReadonlySet<string> = new Set([sessionEnded, ...turnEndings].map(({ type }) => type));

interface Talk {
  readonly userId: string;
  readonly after: Position;
  /** What ended later than this is kept. */
  readonly endedBy: number;
}

/** What was found, and how far was looked. */
interface EndedTalk {
  readonly conversationIds: readonly string[];
  readonly upTo: Position;
  readonly next: number | null;
}

/** Conversations of one user that were over by a moment, as far as all that may still read them has done so. */
export async function findEndedTalk(
  store: EventReader & Cursors,
  { userId, after, endedBy }: Talk,
): Promise<EndedTalk> {
  const until = await store.head();
  const waits = await waitingIn(store);
  const conversationIds: string[] = [];
  for await (const { events } of store.readAll({ after, until, userId, types: endings })) {
    for (const event of events) {
      if (event.at > endedBy || waits(event) || conversationIds.length === CONVERSATIONS_AT_ONCE)
        return { conversationIds, upTo: event.position - 1, next: event.at };
      conversationIds.push(...conversationEndedBy(event));
    }
  }
  return { conversationIds, upTo: until, next: null };
}

/** Whether memory has yet to be made of what an event ends: deferred, or not answered since a start. */
async function waitingIn(store: EventReader & Cursors): Promise<(event: StoredEvent) => boolean> {
  const consolidated = await store.readCursor(CONSOLIDATION);
  const remembered = await store.readCursor(REMEMBERING);
  const answered = new Map<string, Position>([
    [sessionEnded.type, consolidated.position],
    [replySent.type, remembered.position],
  ]);
  return ({ type, position }) => position > (answered.get(type) ?? position);
}

/** A turn by itself is a conversation; of a session, only its end is the end of one. */
function conversationEndedBy({ data }: StoredEvent): readonly string[] {
  if (typeof data !== 'object' || data === null || !('conversationId' in data)) return [];
  const isOfSession = 'turnId' in data && 'sessionId' in data && data.sessionId !== null;
  return isOfSession || typeof data.conversationId !== 'string' ? [] : [data.conversationId];
}
