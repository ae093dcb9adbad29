import { readChatEvent } from '../../events/chat.ts';
import { receivedAs } from '../../events/turns.ts';
import { asideIn, ReadBranches } from '../../projections/chat/branches.ts';
import { replyIn } from '../../projections/chat/conversation.ts';
import {
  beginExchange,
  contentOf,
  continueExchange,
  type Exchange,
  isUnasked,
} from '../../projections/chat/exchange.ts';
import type { EventReader, StreamRange } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';

/** One side of a turn, as memory reads it. */
export interface SpokenWords {
  readonly turnId: string;
  /** `prompt` is what the assistant was asked by anything but the user: no evidence of them. */
  readonly role: 'user' | 'assistant' | 'prompt';
  /** What asked, of a prompt; see `chat.message.received`. */
  readonly source?: string;
  /** Who it was, where the conversation was not with hark. */
  readonly name?: string | null;
  readonly text: string;
  readonly at: number;
  /** Of what was asked: by which way it came. */
  readonly platform?: string;
  /** Of an answer: ids of what memory had put before the model. */
  readonly recalled?: readonly string[];
}

/** What was said in a conversation, from where it was said. Nothing, once that is forgotten. */
export async function wordsOf(
  store: EventReader,
  stream: string,
  conversationId: string,
  range: StreamRange = {},
): Promise<readonly SpokenWords[]> {
  return (await saidIn(store, stream, conversationId, range)).exchanges.flatMap(wordsIn);
}

interface Said {
  /** In the order in which they were said, those that are set aside among them. */
  readonly exchanges: readonly Exchange[];
  /** Turns in whose place others stand. */
  readonly aside: ReadonlySet<string>;
}

/** The turns of a conversation. */
export async function saidIn(
  store: EventReader,
  stream: string,
  conversationId: string,
  range: StreamRange = {},
): Promise<Said> {
  const exchanges = new Map<string, Exchange>();
  const branches = new ReadBranches<{ readonly turnId: string }>();
  for await (const events of store.readStream(stream, range)) {
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (!event || event.data.conversationId !== conversationId || !('turnId' in event.data)) continue;
      const { turnId } = event.data;
      const exchange = exchanges.get(turnId);
      if (event.type === 'chat.message.received') {
        exchanges.set(turnId, beginExchange(event.data, stored.at));
        branches.add({ turnId }, event.data.replaces);
      } else if (event.type === 'chat.branch.chosen') branches.choose(turnId);
      else if (exchange) exchanges.set(turnId, continueExchange(exchange, event, stored.at));
    }
  }
  return { exchanges: [...exchanges.values()], aside: asideIn(branches) };
}

/** The turn that ended with this event, or was heard up to it: of a long conversation, nothing else is read. */
export async function exchangeUpTo(
  store: EventReader,
  ending: StoredEvent,
  { turnId, conversationId }: { readonly turnId: string; readonly conversationId: string },
): Promise<Exchange | undefined> {
  const received = await store.findCommand(receivedAs(ending.owner, turnId));
  const range = { afterPosition: received ? received.position - 1 : 0, untilPosition: ending.position };
  const { exchanges } = await saidIn(store, ending.stream, conversationId, range);
  return exchanges.find((exchange) => exchange.turnId === turnId);
}

/** An answer that was interrupted is as much as was heard of it. */
function isSaid(exchange: Exchange): boolean {
  if (exchange.spoken) return contentOf(exchange) !== '';
  return exchange.end?.as === 'replied';
}

export function wordsIn(exchange: Exchange): readonly SpokenWords[] {
  const { turnId, platform, origin, source, text, at, end } = exchange;
  if (text === null) return [];
  const role = origin === 'user' ? 'user' : 'prompt';
  const from = source === undefined ? {} : { source };
  const asked: SpokenWords = { turnId, role, text, at, platform, ...from };
  if (!end || !isSaid(exchange)) return [asked];
  const { recalled } = end.metadata;
  const answer: SpokenWords = {
    turnId,
    role: 'assistant',
    text: replyIn(exchange),
    at: end.at,
    recalled,
  };
  return isUnasked(exchange) ? [answer] : [asked, answer];
}
