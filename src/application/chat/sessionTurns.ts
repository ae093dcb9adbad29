import { chatStream, readChatEvent } from '../../events/chat.ts';
import { messageReceived } from '../../events/turns.ts';
import { chooseTurn, versionsOf } from '../../projections/chat/branches.ts';
import { beginExchange, continueExchange, type Exchange } from '../../projections/chat/exchange.ts';
import { type PlacedTurn, pathsInSession } from '../../projections/chat/pathsInSession.ts';
import type { EventReader } from '../../store/port.ts';
import type { ShownExchange } from './versions.ts';

export interface TurnsAsked {
  readonly userId: string;
  readonly sessionId: string;
  readonly limit: number;
  /** Only what was said before this turn. */
  readonly before?: string | undefined;
  readonly at?: number | undefined;
}

export interface FoundTurns {
  /** In the order in which they were said. */
  readonly exchanges: readonly ShownExchange[];
  /** There are older ones. */
  readonly hasMore: boolean;
}

/**
 * The last turns of a session, of conversations in it that have ended as well, without what is set aside; `current` is
 * what is said in the one that goes on, where that is known already. The log is read where that is not enough: once for
 * how the turns follow on each other, and for those that are asked for once more.
 */
export async function turnsOf(
  store: EventReader,
  { limit, ...asked }: TurnsAsked,
  current: readonly ShownExchange[],
): Promise<FoundTurns> {
  const { before, at } = asked;
  const place = before === undefined ? current.length : current.findIndex(({ turnId }) => turnId === before);
  // One more than asked for says that there are more.
  if (at === undefined && place > limit)
    return { exchanges: current.slice(place - limit, place), hasMore: true };
  const placed = await placedTurns(store, asked);
  // What no log has yet comes last.
  const unsaved =
    at !== undefined || before !== undefined
      ? []
      : current.filter(({ turnId }) => !placed.some((one) => one.turnId === turnId));
  const wanted = placed.slice(-limit);
  const exchanges = await exchangesOf(store, asked, wanted);
  const known = [...exchanges, ...unsaved].slice(-limit);
  return { exchanges: known, hasMore: placed.length + unsaved.length > known.length };
}

type Placed = PlacedTurn & Pick<ShownExchange, 'versions' | 'isOver'>;

/** Up to the one before which they are asked for, on whichever path that is. */
async function placedTurns(
  store: EventReader,
  { before, ...session }: Omit<TurnsAsked, 'limit'>,
): Promise<readonly Placed[]> {
  const placed: Placed[] = [];
  for (const { branches, isOver } of await pathsInSession(store, session)) {
    const { path } = before === undefined ? branches : chooseTurn(branches, before);
    for (const turn of path) {
      if (turn.turnId === before) return placed;
      if (!turn.isReadable) continue;
      const versions = versionsOf(branches, turn.turnId);
      placed.push({ ...turn, ...(versions ? { versions } : {}), ...(isOver ? { isOver } : {}) });
    }
  }
  return placed;
}

async function exchangesOf(
  store: EventReader,
  { userId, sessionId, at = Infinity }: Omit<TurnsAsked, 'limit'>,
  wanted: readonly Placed[],
): Promise<readonly ShownExchange[]> {
  const said = new Map<string, Exchange | undefined>(wanted.map(({ turnId }) => [turnId, undefined]));
  const [first] = wanted;
  if (!first) return [];
  const stream = chatStream(userId, { sessionId, turnId: '' });
  for await (const events of store.readStream(stream, { fromVersion: first.version }))
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (!event || stored.at > at || !('turnId' in event.data)) continue;
      const { turnId } = event.data;
      if (!said.has(turnId)) continue;
      const known = said.get(turnId);
      if (known) said.set(turnId, continueExchange(known, event, stored.at));
      else if (event.type === messageReceived.type) said.set(turnId, beginExchange(event.data, stored.at));
    }
  return wanted.flatMap(({ turnId, versions, isOver }): readonly ShownExchange[] => {
    const exchange = said.get(turnId);
    // Forgotten meanwhile.
    if (!exchange || exchange.text === null) return [];
    return [{ ...exchange, ...(versions ? { versions } : {}), ...(isOver ? { isOver } : {}) }];
  });
}
