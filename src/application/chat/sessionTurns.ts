import { chatStream, messageReceived, readChatEvent } from '../../events/chat.ts';
import { beginExchange, continueExchange, type Exchange } from '../../projections/chat/exchange.ts';
import type { EventReader } from '../../store/port.ts';

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
  readonly exchanges: readonly Exchange[];
  /** There are older ones. */
  readonly hasMore: boolean;
}

/**
 * The last turns of a session, of conversations in it that have ended as well; `current` is what is said in the one that
 * goes on, where that is known already. The log is read where that is not enough.
 */
export async function turnsOf(
  store: EventReader,
  { userId, sessionId, limit, before, at = Infinity }: TurnsAsked,
  current: readonly Exchange[],
): Promise<FoundTurns> {
  const place = before === undefined ? current.length : current.findIndex(({ turnId }) => turnId === before);
  // One more than asked for says that there are more.
  if (at === Infinity && place > limit)
    return { exchanges: current.slice(place - limit, place), hasMore: true };
  const kept: Exchange[] = [];
  let begun = 0;
  let isPast = false;
  for await (const events of store.readStream(chatStream(userId, { sessionId, turnId: '' })))
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (!event || stored.at > at || !('turnId' in event.data)) continue;
      const { turnId } = event.data;
      if (event.type === messageReceived.type) {
        isPast ||= turnId === before;
        if (isPast || event.data.text === null) continue;
        kept.push(beginExchange(event.data, stored.at));
        if (++begun > limit && kept.length > limit) kept.shift();
        continue;
      }
      const index = kept.findLastIndex((one) => one.turnId === turnId);
      const exchange = kept[index];
      if (exchange) kept[index] = continueExchange(exchange, event, stored.at);
    }
  // What no log has yet comes last.
  const unsaved =
    at < Infinity || before !== undefined ? [] : current.filter(({ turnId }) => !has(kept, turnId));
  const exchanges = [...kept, ...unsaved].slice(-limit);
  return { exchanges, hasMore: begun + unsaved.length > exchanges.length };
}

function has(exchanges: readonly Exchange[], turnId: string): boolean {
  return exchanges.some((one) => one.turnId === turnId);
}
