import type { CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import { chatStream } from '../../events/chat.ts';
import { type ImportedTurn, type MemoryEvent, memoryStream, readMemoryEvent } from '../../events/memory.ts';
import { tendedOf } from '../../folds/memory/conclusions.ts';
import { talkOf } from '../../folds/memory/talk.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import type { Episode } from '../../projections/memory/episodes.ts';
import { type Remembered, remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { chosenPreferences, preferences } from '../../projections/settings/preferences.ts';
import type { EventReader } from '../../store/port.ts';
import { exportEntities } from './exportingEntities.ts';
import { wordsUpTo } from './importedWords.ts';
import type { EpisodeRecord, MemoryRecord } from './records.ts';
import { slicesOf } from './slicing.ts';
import { wordsToldBy } from './told.ts';
import { wordsOf } from './words.ts';

interface Parts {
  readonly store: EventReader;
  readonly runner: CommandRunner;
  readonly views: UserViews;
  /** An episode with more words than that takes several records. */
  readonly mostWordBytes?: number;
}

/** A record with them goes into one request, whatever JSON makes of it there. */
const MOST_WORD_BYTES = 250_000;

type Imported = Extract<MemoryEvent, { type: 'memory.conversation.imported' }>['data'];

/** All that is remembered of a user, one after the other: what is erased while it goes on is left out from there on. */
export async function* exportMemory(parts: Parts, userId: string): AsyncGenerator<MemoryRecord> {
  const { views } = parts;
  const memory = () => views.of(remembered, userId);
  const { profile } = await memory();
  if (Object.keys(profile).length > 0) yield { kind: 'profile', profile };
  yield* exportEpisodes(parts, userId, memory);
  for (const id of Object.keys((await memory()).conclusions)) {
    const now = await memory();
    const known = entryOf(now.conclusions, id);
    if (!known || known.text === null) continue;
    const tended = tendedOf(now, known);
    yield { kind: 'conclusion', ...known, text: known.text, ...(tended ? { tended } : {}) };
  }
  yield* exportEntities(views, userId);
  // At the end: they may say that nothing is to be remembered.
  const chosen = chosenPreferences(await views.of(preferences, userId));
  if (Object.keys(chosen).length > 0) yield { kind: 'preferences', preferences: chosen };
}

/** In the order of the log, where the words of what was imported stand right before its episode. */
async function* exportEpisodes(
  { store, views, mostWordBytes = MOST_WORD_BYTES }: Parts,
  userId: string,
  memory: () => Promise<Remembered>,
): AsyncGenerator<MemoryRecord> {
  let words: Imported | undefined;
  for await (const events of store.readStream(memoryStream(userId)))
    for (const stored of events) {
      const event = readMemoryEvent(stored);
      if (event?.type === 'memory.conversation.imported') words = event.data;
      if (event?.type !== 'memory.episode.created') continue;
      const known = entryOf((await memory()).episodes, event.data.episodeId);
      // An id may have been used before, for what was erased since.
      if (!known || known.happenedAt !== event.data.happenedAt || event.data.summary === null) continue;
      const {
        episodeId: id,
        conversationId,
        formerConversationId: _,
        part: __,
        echoes: ___,
        ...rest
      } = known;
      const { topic, keywords, summary, ...said } = rest;
      const imported = words && (await wordsUpTo(store, stored, words));
      const turns = conversationId === null ? (imported ?? []) : await saidIn(store, userId, known);
      const { read } = await views.of(knownEntities, userId);
      const record: EpisodeRecord = {
        kind: 'episode',
        id,
        ...said,
        conversationId: talkOf(known),
        summary: summary ?? '',
        topic: topic ?? '',
        keywords: keywords ?? [],
        turns,
        isRead: Object.hasOwn(read, id),
      };
      yield* sliced(record, mostWordBytes);
    }
}

/** The same but for its words, where they are many. */
function* sliced(record: EpisodeRecord, mostBytes: number): Generator<EpisodeRecord> {
  const slices = slicesOf(record.turns, mostBytes);
  if (slices.length === 1) return void (yield record);
  for (const [number, { from, turns }] of slices.entries())
    yield { ...record, turns, slice: { number, of: slices.length, from } };
}

async function saidIn(
  store: EventReader,
  userId: string,
  episode: Episode,
): Promise<readonly ImportedTurn[]> {
  const { sessionId, conversationId, turnId } = episode;
  if (conversationId === null) return [];
  const stream = chatStream(userId, { sessionId, turnId: turnId ?? conversationId });
  const words = await wordsOf(store, stream, conversationId);
  return wordsToldBy(episode, words).map(({ role, text, at }) => ({ role, name: null, text, at }));
}
