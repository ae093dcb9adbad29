import { readChatEvent, receivedAs } from '../../events/chat.ts';
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
  return (await exchangesOf(store, stream, conversationId, range)).flatMap(wordsIn);
}

/** The turns of a conversation, in their order. */
export async function exchangesOf(
  store: EventReader,
  stream: string,
  conversationId: string,
  range: StreamRange = {},
): Promise<readonly Exchange[]> {
  const exchanges = new Map<string, Exchange>();
  for await (const events of store.readStream(stream, range)) {
    for (const stored of events) {
      const event = readChatEvent(stored);
      if (!event || event.data.conversationId !== conversationId || !('turnId' in event.data)) continue;
      const exchange = exchanges.get(event.data.turnId);
      if (event.type === 'chat.message.received')
        exchanges.set(event.data.turnId, beginExchange(event.data, stored.at));
      else if (exchange) exchanges.set(event.data.turnId, continueExchange(exchange, event, stored.at));
    }
  }
  return [...exchanges.values()];
}

/** The turn that ended with this event, or was heard up to it: of a long conversation, nothing else is read. */
export async function exchangeUpTo(
  store: EventReader,
  ending: StoredEvent,
  { turnId, conversationId }: { readonly turnId: string; readonly conversationId: string },
): Promise<Exchange | undefined> {
  const received = await store.findCommand(receivedAs(ending.owner, turnId));
  const range = { afterPosition: received ? received.position - 1 : 0, untilPosition: ending.position };
  const exchanges = await exchangesOf(store, ending.stream, conversationId, range);
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
