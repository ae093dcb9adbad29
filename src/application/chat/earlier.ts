import { isHarkError } from '../../errors.ts';
import type { Conversation } from '../../projections/chat/conversation.ts';
import type { Sessions } from './sessions.ts';
import type { UnsavedTurns } from './unsavedTurns.ts';

/** What has been said, as far as a turn is told of it. */
type Said = Pick<Conversation, 'exchanges' | 'summary'>;

interface Named {
  readonly userId: string;
  readonly turnId: string;
  readonly sessionId: string | null;
}

interface Sources {
  readonly sessions: Pick<Sessions, 'conversation'>;
  readonly unsaved: Pick<UnsavedTurns, 'with'>;
}

const nothing: Said = { exchanges: [], summary: null };

/** What a turn follows on. While the log is away, what this process remembers has to do. */
export async function earlierThan(
  { userId, turnId, sessionId }: Named,
  stream: string,
  { sessions, unsaved }: Sources,
): Promise<Said> {
  const { exchanges, summary } =
    sessionId === null ? nothing : await unlessAway(sessions.conversation(stream, userId), nothing);
  const all = unsaved.with(stream, exchanges);
  const own = all.findIndex((exchange) => exchange.turnId === turnId);
  // What came after this message is not what it follows on.
  const before = (own === -1 ? all : all.slice(0, own)).filter(({ end }) => end !== null);
  return { exchanges: before, summary };
}

export function unlessAway<Found, Otherwise>(
  found: Promise<Found>,
  otherwise: Otherwise,
): Promise<Found | Otherwise> {
  return found.catch((error) =>
    isHarkError(error, 'KVSTORE_UNAVAILABLE') ? otherwise : Promise.reject(error),
  );
}
