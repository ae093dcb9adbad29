import { sessionEnded } from '../../events/chat.ts';
import { isEvent } from '../../events/definition.ts';
import { messageReceived } from '../../events/turns.ts';
import type { Position } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** A session as a list shows it, without a word of what was said: all that was ever said under its id. */
export interface ListedSession {
  readonly sessionId: string;
  readonly startedAt: number;
  lastMessageAt: number;
  /** Messages, and what was said although nobody had asked. */
  turns: number;
  /** The id of its conversation, while that goes on. */
  openAs: string | null;
  /** Where in the log the first message of each of its conversations stands, oldest first. */
  readonly begins: Position[];
  /** A turn of it was replaced: not all that was said is to be seen. */
  isBranched: boolean;
}

/** The sessions of one user by their ids. */
export type SessionList = Map<string, ListedSession>;

export const sessionListTypes: ReadonlySet<string> = new Set([messageReceived.type, sessionEnded.type]);

/** Takes one more event in. */
export function applyToSessionList(list: SessionList, event: StoredEvent): void {
  if (isEvent(event, sessionEnded)) {
    const session = list.get(event.data.sessionId);
    if (session?.openAs === event.data.conversationId) session.openAs = null;
  } else if (isEvent(event, messageReceived)) {
    const { sessionId, conversationId, replaces } = event.data;
    if (sessionId === null) return;
    const { at, position } = event;
    const session: ListedSession = list.get(sessionId) ?? {
      ...{ sessionId, startedAt: at, lastMessageAt: at, turns: 0, openAs: null, begins: [] },
      isBranched: false,
    };
    session.isBranched ||= replaces !== undefined;
    if (session.openAs !== conversationId) session.begins.push(position);
    session.openAs = conversationId;
    session.lastMessageAt = at;
    session.turns++;
    list.set(sessionId, session);
  }
}
