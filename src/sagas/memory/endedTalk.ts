import { replySent, sessionEnded } from '../../events/chat.ts';
import { turnEndings } from '../../projections/chat/openSessions.ts';
import type { Position, Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { CONSOLIDATION } from './consolidation.ts';
import { REMEMBERING } from './remembering.ts';

/** So many at once: each takes a key with it, and others wait for their turn meanwhile. */
const AT_ONCE = 500;

const endings: ReadonlySet<string> = new Set([sessionEnded.type, ...turnEndings]);

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
export async function findEndedTalk(store: Store, { userId, after, endedBy }: Talk): Promise<EndedTalk> {
  const until = await store.head();
  const waits = await waitingIn(store);
  const conversationIds: string[] = [];
  for await (const { events } of store.readAll({ after, until, userId, types: endings })) {
    for (const event of events) {
      if (event.at > endedBy || waits(event) || conversationIds.length === AT_ONCE)
        return { conversationIds, upTo: event.position - 1, next: event.at };
      conversationIds.push(...conversationEndedBy(event));
    }
  }
  return { conversationIds, upTo: until, next: null };
}

/** Whether memory has yet to be made of what an event ends: deferred, or not answered since a start. */
async function waitingIn(store: Store): Promise<(event: StoredEvent) => boolean> {
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
