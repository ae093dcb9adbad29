import { readChatEvent } from '../../events/chat.ts';
import { isEvent } from '../../events/definition.ts';
import { replySent } from '../../events/turnEndings.ts';
import { messageReceived, stepTaken } from '../../events/turns.ts';
import { contentOfStep } from '../../projections/chat/exchange.ts';
import { pathsInSession } from '../../projections/chat/pathsInSession.ts';
import {
  applyToSessionList,
  type ListedSession,
  type SessionList,
  sessionListTypes,
} from '../../projections/chat/sessionList.ts';
import type { EventLog, EventReader, Position } from '../../store/port.ts';

/** Of so many users the list is held; it is read again when one of the others asks. */
const MOST_USERS = 50;
const LONGEST_TITLE = 120;
/** What stands before and behind what was searched for. */
const AROUND = 60;

export interface SessionsAsked {
  readonly userId: string;
  /** Words that one message holds, all of them. */
  readonly query: string;
  readonly limit: number;
  /** Only those whose last message is older. */
  readonly before?: number | undefined;
  /** As it was then. */
  readonly at?: number | undefined;
  /** Whoever types on wants no answer to what was typed before. */
  readonly signal: AbortSignal;
}

export interface FoundSession extends Omit<ListedSession, 'openAs' | 'begins' | 'isBranched'> {
  readonly isOpen: boolean;
  /** How its newest conversation began. */
  readonly title: string;
  /** Where what was searched for stands in it. */
  readonly excerpt?: string;
}

interface Held {
  readonly list: SessionList;
  position: Position;
}

/** The sessions of users, those that have ended among them. What is held of them has no word of anybody. */
export class PastSessions {
  readonly #store: () => EventLog;
  readonly #held = new WeakMap<EventLog, Map<string, Held>>();

  constructor(store: () => EventLog) {
    this.#store = store;
  }

  /** Newest first. A session of which nothing can be read any more is not among them. */
  async find({
    userId,
    query,
    limit,
    before = Infinity,
    at,
    signal,
  }: SessionsAsked): Promise<readonly FoundSession[]> {
    const store = this.#store();
    const list = at === undefined ? await this.#current(store, userId) : await listAt(store, userId, at);
    const excerpts = query === '' ? undefined : await excerptsOf(store, { userId, query, at, signal }, list);
    const wanted = Array.from(list.values())
      .filter(({ sessionId, lastMessageAt }) => lastMessageAt < before && (excerpts?.has(sessionId) ?? true))
      .sort((a, b) => b.lastMessageAt - a.lastMessageAt);
    const found: FoundSession[] = [];
    for (const { begins, openAs, isBranched, ...session } of wanted) {
      const { sessionId } = session;
      const seen = isBranched ? await firstSeen(store, { userId, sessionId, at }) : begins;
      const title = await titleOf(store, userId, seen);
      if (title === undefined) continue;
      const excerpt = excerpts?.get(sessionId);
      found.push({
        ...session,
        isOpen: openAs !== null,
        title,
        ...(excerpt === undefined ? {} : { excerpt }),
      });
      if (found.length === limit) break;
    }
    return found;
  }

  /** Brought up to the end of the log, from where it was looked at last. */
  async #current(store: EventLog, userId: string): Promise<SessionList> {
    const users = this.#usersOf(store);
    const held = users.get(userId) ?? { list: new Map(), position: 0 };
    users.delete(userId);
    users.set(userId, held);
    for (const oldest of users.keys()) {
      if (users.size <= MOST_USERS) break;
      users.delete(oldest);
    }
    for await (const { events, position } of store.readAll({
      after: held.position,
      userId,
      types: sessionListTypes,
    })) {
      // Two may read at once: each event counts once.
      for (const event of events) if (event.position > held.position) applyToSessionList(held.list, event);
      held.position = Math.max(held.position, position);
    }
    return held.list;
  }

  #usersOf(store: EventLog): Map<string, Held> {
    const known = this.#held.get(store);
    if (known) return known;
    const users = new Map<string, Held>();
    store.onReplaced(() => users.clear());
    this.#held.set(store, users);
    return users;
  }
}

async function listAt(store: EventReader, userId: string, at: number): Promise<SessionList> {
  const list: SessionList = new Map();
  for await (const { events } of store.readAll({ after: 0, userId, types: sessionListTypes }))
    for (const event of events) if (event.at <= at) applyToSessionList(list, event);
  return list;
}

/** Where in the log the first message of each conversation stands, without what is set aside. */
async function firstSeen(
  store: EventReader,
  session: { userId: string; sessionId: string; at: number | undefined },
): Promise<readonly Position[]> {
  const paths = await pathsInSession(store, session);
  return paths.flatMap(({ branches }) => branches.path[0]?.position ?? []);
}

/** Of the newest conversation that can still be read; undefined where there is none. */
async function titleOf(
  store: EventReader,
  userId: string,
  begins: readonly Position[],
): Promise<string | undefined> {
  for (const position of begins.toReversed())
    for await (const { events } of store.readAll({ after: position - 1, until: position, userId }))
      for (const event of events)
        if (isEvent(event, messageReceived) && event.data.text !== null)
          return event.data.text.slice(0, LONGEST_TITLE);
  return undefined;
}

const searched: ReadonlySet<string> = new Set([messageReceived.type, stepTaken.type, replySent.type]);

/** By session, from the newest message that holds all the words, and is not set aside. */
async function excerptsOf(
  store: EventReader,
  { userId, query, at, signal }: Pick<SessionsAsked, 'userId' | 'query' | 'at' | 'signal'>,
  sessions: SessionList,
): Promise<ReadonlyMap<string, string>> {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found = new Map<string, string>();
  const branched = new Map<string, Map<string, string>>();
  for await (const { events } of store.readAll({ after: 0, userId, types: searched })) {
    if (signal.aborted) break;
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (!event || stored.at > (at ?? Infinity) || !('turnId' in event.data)) continue;
      if (event.data.sessionId === null) continue;
      const text = 'parts' in event.data ? contentOfStep(event.data) : textIn(event.data);
      const excerpt = excerptOf(text, words);
      if (excerpt === undefined) continue;
      const { sessionId, turnId } = event.data;
      found.set(sessionId, excerpt);
      if (!sessions.get(sessionId)?.isBranched) continue;
      const byTurn = branched.get(sessionId) ?? new Map<string, string>();
      branched.set(sessionId, byTurn.set(turnId, excerpt));
    }
  }
  for (const [sessionId, byTurn] of branched) {
    const paths = await pathsInSession(store, { userId, sessionId, at });
    const seen = paths.flatMap(({ branches }) =>
      branches.path.flatMap(({ turnId }) => byTurn.get(turnId) ?? []),
    );
    const newest = seen.at(-1);
    if (newest === undefined) found.delete(sessionId);
    else found.set(sessionId, newest);
  }
  return found;
}

function textIn(data: object): string {
  return 'text' in data && typeof data.text === 'string' ? data.text : '';
}

function excerptOf(text: string, words: readonly string[]): string | undefined {
  const lower = text.toLocaleLowerCase();
  if (!words.every((word) => lower.includes(word))) return undefined;
  const at = lower.indexOf(words[0] ?? '');
  const from = Math.max(0, at - AROUND);
  return text
    .slice(from, at + AROUND)
    .replace(/\s+/g, ' ')
    .trim();
}
