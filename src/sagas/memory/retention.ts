import { expireConversations } from '../../commands/memory/expireConversations.ts';
import { expireEpisodes } from '../../commands/memory/expireEpisodes.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { endedConversations } from '../../projections/memory/endedConversations.ts';
import { nextExpiries } from '../../projections/memory/nextExpiries.ts';
import type { Views } from '../../projections/runtime.ts';
import type { Store } from '../../store/port.ts';
import { looks } from '../dueTimes.ts';
import type { TimedSaga } from '../saga.ts';
import { findEndedTalk } from './endedTalk.ts';

const LOOK_EVERY_MS = 60 * 60_000;

interface RetentionContext {
  readonly store: Store;
  readonly runner: CommandRunner;
  readonly views: Views;
}

interface RetentionOptions {
  readonly backing: () => RetentionContext;
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
export function expireMemory({ backing, retentionMs }: RetentionOptions): TimedSaga<OverdueMemory> {
  return {
    name: 'expire-memory',
    on: looks((now) => {
      const { views } = backing();
      const { byStream: expiries } = views.view(nextExpiries);
      const ended = Object.values(views.view(endedConversations).byUser);
      return overdueAmong({ expiries, ended }, retentionMs(), now);
    }),
    // What could not be erased is found by the next look.
    retry: { tries: 1, firstPauseMs: 0 },
    // One user after the other: nobody waits for it.
    key: () => 'memory',
    async react(overdue, { signal }) {
      await expireEpisodesOf(backing(), overdue, signal);
      // After the episodes: what none of them tells of any more by then goes as well.
      await expireConversationsOf(backing(), overdue, signal);
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
