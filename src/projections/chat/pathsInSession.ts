import { branchChosen, chatStream, sessionEnded } from '../../events/chat.ts';
import { isEvent } from '../../events/definition.ts';
import { messageReceived } from '../../events/turns.ts';
import type { EventReader, Position } from '../../store/port.ts';
import { type Branches, ReadBranches } from './branches.ts';

/** A turn by where its message stands, without a word of it. */
export interface PlacedTurn {
  readonly turnId: string;
  readonly version: number;
  readonly position: Position;
  /** Not forgotten. */
  readonly isReadable: boolean;
}

interface ConversationPath {
  readonly branches: Branches<PlacedTurn>;
  readonly isOver: boolean;
}

interface WhichSession {
  readonly userId: string;
  readonly sessionId: string;
  /** As it was then. */
  readonly at?: number | undefined;
}

/** How the turns of a session follow on each other: one conversation after the other, as they began. */
export async function pathsInSession(
  store: EventReader,
  { userId, sessionId, at = Infinity }: WhichSession,
): Promise<readonly ConversationPath[]> {
  const over = new Set<string>();
  const said = new Map<string, ReadBranches<PlacedTurn>>();
  for await (const events of store.readStream(chatStream(userId, { sessionId, turnId: '' })))
    for (const stored of events) {
      if (stored.at > at) continue;
      if (isEvent(stored, sessionEnded)) over.add(stored.data.conversationId);
      if (isEvent(stored, branchChosen)) said.get(stored.data.conversationId)?.choose(stored.data.turnId);
      if (!isEvent(stored, messageReceived)) continue;
      const { conversationId } = stored.data;
      const branches = said.get(conversationId) ?? new ReadBranches<PlacedTurn>();
      said.set(conversationId, branches);
      const { turnId, replaces, text } = stored.data;
      const { version, position } = stored;
      branches.add({ turnId, version, position, isReadable: text !== null }, replaces);
    }
  return Array.from(said, ([id, branches]) => ({ branches, isOver: over.has(id) }));
}
