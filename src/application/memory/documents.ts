import { setImmediate as breath } from 'node:timers/promises';
import { chatEventTypes, chatStream, readChatEvent } from '../../events/chat.ts';
import { isEvent } from '../../events/definition.ts';
import { conversationImported, episodeCreated, type ImportedTurn } from '../../events/episodes.ts';
import { type MemoryEvent, readMemoryEvent } from '../../events/memory.ts';
import { beginExchange, continueExchange, type Exchange } from '../../projections/chat/exchange.ts';
import { documentIdOf, type IndexDocument } from '../../projections/memory/index/documents.ts';
import type { Remembered } from '../../projections/memory/remembered.ts';
import type { EventBatch, EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { wordsToldBy } from './echoes.ts';
import { addSlice, wordsUpTo } from './importedWords.ts';
import { type SpokenWords, wordsOf, wordsIn as wordsOfExchange } from './words.ts';

type Created = Extract<MemoryEvent, { type: 'memory.episode.created' }>['data'];
type Imported = Extract<MemoryEvent, { type: 'memory.conversation.imported' }>['data'];

/** What was said: all else that can be found is remembered. */
export const spokenTypes: ReadonlySet<string> = new Set([...chatEventTypes, conversationImported.type]);
const BATCH = 500;
const OPENED_AT_ONCE = 64;

/**
 * Everything that can be found of these episodes, in one pass over what is of their user in the log: first the
 * summaries, those of the pages themselves as soon as they are read, and then what was said.
 */
export async function* documentsOf(
  pages: AsyncIterable<EventBatch>,
  episodes: Promise<Remembered['episodes']>,
): AsyncGenerator<readonly IndexDocument[]> {
  episodes.catch(() => {
    // Whoever waits for it below is told.
  });
  const words = new Words();
  const summarized = new Set<string>();
  for await (const { events } of pages) {
    yield summariesIn(events, summarized);
    await words.take(events);
  }
  // What comes while the pages are read is told of afterwards, and what is there already is left then.
  const remembered = Object.values(await episodes);
  const others = remembered.filter(({ episodeId }) => !summarized.has(episodeId));
  yield* inBatches(others, (episode) => documentsIn(episode, [], []));
  yield* inBatches(remembered, (episode) => wholeOf(episode, words).slice(1));
}

/** Of what was forgotten, none. */
function summariesIn(events: EventBatch['events'], summarized: Set<string>): readonly IndexDocument[] {
  return events.flatMap((event) => {
    if (!isEvent(event, episodeCreated) || event.erased) return [];
    summarized.add(event.data.episodeId);
    return documentsIn(event.data, [], []);
  });
}

/** The same with all documents of an episode in one batch. */
export async function* wholeEpisodes(
  pages: AsyncIterable<EventBatch>,
  episodes: Remembered['episodes'],
): AsyncGenerator<readonly IndexDocument[]> {
  const remembered = Object.values(episodes);
  const words = new Words();
  for await (const { events } of pages) await words.take(events);
  yield* inBatches(remembered, (episode) => wholeOf(episode, words));
}

function* inBatches(
  episodes: readonly Created[],
  documentsFor: (episode: Created) => readonly IndexDocument[],
): Generator<readonly IndexDocument[]> {
  let batch: IndexDocument[] = [];
  for (const episode of episodes) {
    batch.push(...documentsFor(episode));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

class Words {
  /** By conversation, and by turn. */
  readonly said = new Map<string, Map<string, Exchange>>();
  /** By episode. */
  readonly imported = new Map<string, ImportedTurn[]>();

  async take(events: EventBatch['events']): Promise<void> {
    const spoken = events.filter(({ type }) => spokenTypes.has(type));
    for (const [index, stored] of spoken.entries()) {
      // Opening a whole page would hold up everybody else.
      if (index % OPENED_AT_ONCE === OPENED_AT_ONCE - 1) await breath();
      this.#take(stored);
    }
  }

  #take(stored: StoredEvent): void {
    const { said, imported } = this;
    const chat = readChatEvent(stored);
    if (chat && 'turnId' in chat.data) {
      const turns = said.get(chat.data.conversationId) ?? new Map<string, Exchange>();
      said.set(chat.data.conversationId, turns);
      const exchange = turns.get(chat.data.turnId);
      if (chat.type === 'chat.message.received')
        turns.set(chat.data.turnId, beginExchange(chat.data, stored.at));
      else if (exchange) turns.set(chat.data.turnId, continueExchange(exchange, chat, stored.at));
    }
    const event = readMemoryEvent(stored);
    if (event?.type === 'memory.conversation.imported' && event.data.turns) {
      const { episodeId, slice, turns } = event.data;
      const words = slice && slice.number > 0 ? (imported.get(episodeId) ?? []) : [];
      addSlice(words, slice?.from ?? 0, turns);
      imported.set(episodeId, words);
    }
  }
}

function wholeOf(episode: Created, { said, imported }: Words): readonly IndexDocument[] {
  const turns = [...(said.get(episode.conversationId ?? '')?.values() ?? [])].flatMap(wordsOfExchange);
  return documentsIn(episode, turns, imported.get(episode.episodeId) ?? []);
}

/** Follows a user's part of the log for episodes that begin, with all that can be found of each. */
export class NewEpisodes {
  readonly #store: EventReader;
  /** Words whose episode comes next: it is in the same append. */
  readonly #imported = new Map<string, Imported>();

  constructor(store: EventReader) {
    this.#store = store;
  }

  /** What reads the documents of the episode that this event tells of; undefined where it tells of none. */
  take(stored: StoredEvent): (() => Promise<readonly IndexDocument[]>) | undefined {
    const event = readMemoryEvent(stored);
    if (event?.type === 'memory.conversation.imported') {
      if (event.data.turns && event.data.slice?.waitsUntil === undefined)
        this.#imported.set(event.data.episodeId, event.data);
      return undefined;
    }
    if (event?.type !== 'memory.episode.created') return undefined;
    const imported = this.#imported.get(event.data.episodeId);
    this.#imported.delete(event.data.episodeId);
    return async () => {
      const turns = imported && (await wordsUpTo(this.#store, event, imported));
      return documentsOfEpisode(this.#store, stored.owner, event.data, turns);
    };
  }
}

/** Everything that can be found of the episodes that these pages tell of. */
export async function* documentsSince(
  pages: AsyncIterable<EventBatch>,
  store: EventReader,
): AsyncGenerator<readonly IndexDocument[]> {
  const episodes = new NewEpisodes(store);
  for await (const { events } of pages)
    for (const event of events) {
      const read = episodes.take(event);
      if (read) yield await read();
    }
}

/** Of what such pages are made. */
export const beginningTypes: ReadonlySet<string> = new Set([episodeCreated.type, conversationImported.type]);

/** The same of one episode that has just been created; `turns` are those that were imported with it. */
export async function documentsOfEpisode(
  store: EventReader,
  userId: string,
  episode: Created,
  turns: readonly ImportedTurn[] = [],
): Promise<readonly IndexDocument[]> {
  const { sessionId, conversationId, turnId } = episode;
  if (conversationId === null) return documentsIn(episode, [], turns);
  const stream = chatStream(userId, { sessionId, turnId: turnId ?? conversationId });
  return documentsIn(episode, await wordsOf(store, stream, conversationId), []);
}

function documentsIn(
  episode: Created,
  words: readonly SpokenWords[],
  turns: readonly ImportedTurn[],
): readonly IndexDocument[] {
  const { episodeId, summary, keywords, topic, happenedAt, importance } = episode;
  // Forgotten, though the word that it is gone comes later in the log.
  if (summary === null) return [];
  const shared = { episodeId, importance: importance / 10 };
  const about = { keywords: keywords ?? [], ...(topic === null ? {} : { topic }) };
  const said = [
    ...wordsToldBy(episode, words),
    ...turns.map(({ name, ...turn }) => ({ ...turn, ...(name === null ? {} : { speaker: name }) })),
  ];
  return [
    { ...shared, ...about, id: documentIdOf(episodeId), kind: 'episode', text: summary, at: happenedAt },
    ...said.map(({ role, text, at, ...by }, index) => ({
      ...shared,
      id: documentIdOf(episodeId, index),
      kind: 'turn' as const,
      role,
      text,
      at,
      ...('speaker' in by ? { speaker: by.speaker } : {}),
    })),
  ];
}
