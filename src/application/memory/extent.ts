import { eraseEntity, forgetEpisodes } from '../../commands/entities/forgetting.ts';
import { eraseConversations, eraseEpisode, eraseWithWords } from '../../commands/memory/forgetting.ts';
import { type UserMemory, userMemory } from '../../commands/memory/state.ts';
import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { chatStream, readChatEvent } from '../../events/chat.ts';
import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type MemoryEvent, memoryStream, readMemoryEvent } from '../../events/memory.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { foldedUntil } from '../../folds/streamFold.ts';
import { findReceived } from '../../projections/chat/received.ts';
import { saidInSession } from '../../projections/chat/saidInSession.ts';
import type { EventReader } from '../../store/port.ts';

/** One thing that may be erased: a conclusion and an episode with the words that they came from. */
export type ToErase =
  | { readonly conclusionId: string }
  | { readonly episodeId: string }
  | { readonly sessionId: string }
  | { readonly entityId: string };

/** How much nobody could read any more. */
export interface Extent {
  readonly messages: number;
  readonly episodes: number;
  readonly conclusions: number;
  readonly entities: number;
  readonly relationships: number;
}

/** What decisions may need beside the state. Nothing is written: they are the caller's own. */
const surroundings = { now: 0, newId: () => '' };

/** What erasing it would take along, by the same decisions; nothing is changed. */
export async function extentOf(store: EventReader, userId: string, what: ToErase): Promise<Extent> {
  const known = await foldedUntil(store, userEntities, entitiesStream(userId));
  if ('entityId' in what) {
    const gone = goneFrom(known, eraseEntity.decide(known, what, surroundings));
    return { messages: 0, episodes: 0, conclusions: 0, ...gone };
  }
  const memory = await foldedUntil(store, userMemory, memoryStream(userId));
  const facts = await erasureOf(store, userId, memory, what);
  const conclusions = facts.flatMap(({ type, data }) =>
    type === 'memory.conclusions.erased' ? data.conclusionIds : [],
  );
  const told = facts.flatMap(({ type, data }) => (type === 'memory.episodes.erased' ? [data] : []));
  const episodeIds = told.flatMap(({ episodes }) => episodes.map(({ episodeId }) => episodeId));
  const talks = new Set([
    ...told.flatMap(({ conversationIds = [] }) => conversationIds),
    ...told.flatMap(({ episodes }) => episodes.flatMap(({ conversationId }) => conversationId ?? [])),
  ]);
  const streams = new Set(
    episodeIds.flatMap((id) => {
      const { sessionId = null, turnId } = entryOf(memory.episodes, id) ?? {};
      return sessionId === null && !turnId ? [] : [chatStream(userId, { sessionId, turnId: turnId ?? '' })];
    }),
  );
  if ('sessionId' in what) streams.add(chatStream(userId, { sessionId: what.sessionId, turnId: '' }));
  if ('conclusionId' in what)
    for (const { stream } of await saidFor(store, userId, memory, what)) streams.add(stream);
  const messages = [
    await importedMessages(store, userId, new Set(episodeIds)),
    ...(await Promise.all([...streams].map((stream) => messagesOf(store, stream, talks)))),
  ];
  return {
    messages: messages.reduce((sum, count) => sum + count, 0),
    episodes: episodeIds.length,
    conclusions: new Set(conclusions).size,
    ...goneFrom(known, forgetEpisodes.decide(known, { episodeIds }, surroundings)),
  };
}

/** The conversations in which a conclusion was said: sessions among them may go on. */
export async function conversationsBehind(
  store: EventReader,
  userId: string,
  turnIds: readonly string[],
): Promise<readonly string[]> {
  const said = await Promise.all(turnIds.map((turnId) => findReceived(store, userId, turnId)));
  return [...new Set(said.flatMap((one) => one?.data.conversationId ?? []))];
}

async function saidFor(
  store: EventReader,
  userId: string,
  { conclusions }: UserMemory,
  { conclusionId }: { readonly conclusionId: string },
) {
  const { turnIds = [] } = entryOf(conclusions, conclusionId) ?? {};
  const said = await Promise.all(turnIds.map((turnId) => findReceived(store, userId, turnId)));
  return said.flatMap((one) => one ?? []);
}

async function erasureOf(
  store: EventReader,
  userId: string,
  memory: UserMemory,
  what: Exclude<ToErase, { readonly entityId: string }>,
): Promise<readonly MemoryEvent[]> {
  const read = (facts: ReturnType<typeof eraseEpisode.decide>) =>
    facts.flatMap((fact) => readMemoryEvent(fact) ?? []);
  if ('episodeId' in what) return read(eraseEpisode.decide(memory, what, surroundings));
  if ('sessionId' in what) {
    const said = await saidInSession(store, { userId, ...what });
    if (said.conversationIds.length === 0) throw new HarkError('SESSION_UNKNOWN', { body: what });
    return read(eraseConversations.decide(memory, said, surroundings));
  }
  const { turnIds = [] } = entryOf(memory.conclusions, what.conclusionId) ?? {};
  const conversationIds = await conversationsBehind(store, userId, turnIds);
  return read(eraseWithWords.decide(memory, { ...what, conversationIds }, surroundings));
}

function goneFrom(known: UserEntities, facts: readonly { readonly type: string }[]) {
  const erased = facts.filter(isErasure);
  const roots = new Set(
    erased.flatMap(({ data }) => data.entityIds.map((id) => known.entities[id]?.mergedInto ?? id)),
  );
  return { entities: roots.size, relationships: erased.flatMap(({ data }) => data.relationshipIds).length };
}

function isErasure(fact: {
  readonly type: string;
}): fact is Extract<EntityEvent, { type: 'entities.erased' }> {
  return fact.type === 'entities.erased';
}

async function messagesOf(store: EventReader, stream: string, talks: ReadonlySet<string>): Promise<number> {
  const turns = new Set<string>();
  let count = 0;
  for await (const events of store.readStream(stream))
    for (const stored of events) {
      const event = readChatEvent(stored);
      // What was erased before is not counted again.
      if (
        event?.type === 'chat.message.received' &&
        event.data.text !== null &&
        talks.has(event.data.conversationId)
      ) {
        turns.add(event.data.turnId);
        count++;
      }
      if (event?.type === 'chat.reply.sent' && turns.has(event.data.turnId)) count++;
    }
  return count;
}

async function importedMessages(
  store: EventReader,
  userId: string,
  episodeIds: ReadonlySet<string>,
): Promise<number> {
  let count = 0;
  for await (const events of store.readStream(memoryStream(userId)))
    for (const stored of events) {
      const event = readMemoryEvent(stored);
      if (event?.type === 'memory.conversation.imported' && episodeIds.has(event.data.episodeId))
        count += event.data.turns?.length ?? 0;
    }
  return count;
}
