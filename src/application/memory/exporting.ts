import type { CommandRunner } from '../../commands/runner.ts';
import { entryOf } from '../../entryOf.ts';
import { chatStream } from '../../events/chat.ts';
import type { ImportedTurn } from '../../events/episodes.ts';
import { type MemoryEvent, memoryStream, readMemoryEvent } from '../../events/memory.ts';
import { tendedOf } from '../../folds/memory/conclusions.ts';
import { talkOf } from '../../folds/memory/talk.ts';
import { knownEntities } from '../../projections/entities/knownEntities.ts';
import type { Episode } from '../../projections/memory/episodes.ts';
import { type Remembered, remembered } from '../../projections/memory/remembered.ts';
import type { UserViews } from '../../projections/runtime.ts';
import { chosenPreferences, preferences } from '../../projections/settings/preferences.ts';
import type { EventReader } from '../../store/port.ts';
import { wordsToldBy } from './echoes.ts';
import { exportEntities } from './exportingEntities.ts';
import { wordsUpTo } from './importedWords.ts';
import type { EpisodeRecord, MemoryRecord } from './records.ts';
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
    const conclusion = entryOf(now.conclusions, id);
    if (!conclusion || conclusion.text === null) continue;
    const tended = tendedOf(now, conclusion);
    yield { kind: 'conclusion', ...conclusion, text: conclusion.text, ...(tended ? { tended } : {}) };
  }
  yield* exportContradictions(memory);
  yield* exportEntities(views, userId);
  // At the end: they may say that nothing is to be remembered.
  const chosen = chosenPreferences(await views.of(preferences, userId));
  if (Object.keys(chosen).length > 0) yield { kind: 'preferences', preferences: chosen };
}

/** Behind all conclusions: each tells of two. */
async function* exportContradictions(memory: () => Promise<Remembered>): AsyncGenerator<MemoryRecord> {
  for (const pair of Object.keys((await memory()).contradictions)) {
    const contradiction = entryOf((await memory()).contradictions, pair);
    if (!contradiction) continue;
    const {
      ids: [conclusionId, contradicts],
      isLinkOnly: _,
      ...told
    } = contradiction;
    yield { kind: 'contradiction', conclusionId, contradicts, ...told };
  }
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
      const episode = entryOf((await memory()).episodes, event.data.episodeId);
      // An id may have been used before, for what was erased since.
      if (!episode || episode.happenedAt !== event.data.happenedAt || event.data.summary === null) continue;
      const {
        episodeId: id,
        conversationId,
        formerConversationId: _,
        part: __,
        echoes: ___,
        aside: ____,
        capture: _____,
        ...rest
      } = episode;
      const { topic, keywords, summary, ...said } = rest;
      const imported = words && (await wordsUpTo(store, event, words));
      const turns = conversationId === null ? (imported ?? []) : await saidIn(store, userId, episode);
      const { read } = await views.of(knownEntities, userId);
      const record: EpisodeRecord = {
        kind: 'episode',
        id,
        ...said,
        conversationId: talkOf(episode),
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

interface Sliced {
  /** The number of its first turn: that of the last one before it, where the text of that goes on. */
  readonly from: number;
  readonly turns: readonly ImportedTurn[];
}

/** Each turn is counted with a comma; brackets, less the comma that the last one does not have. */
const AROUND_THEM = 1;
/** What JSON makes of one unit of a text, at most. */
const MOST_BYTES_OF_A_UNIT = 6;

/**
 * What was said, in slices of no more than so many bytes of JSON, names and times of one turn aside. There is always
 * one. The same words are cut at the same places.
 */
export function slicesOf(turns: readonly ImportedTurn[], mostBytes: number): readonly Sliced[] {
  const longest = Math.max(2, Math.floor(mostBytes / (2 * MOST_BYTES_OF_A_UNIT)));
  let current: { from: number; turns: ImportedTurn[] } = { from: 0, turns: [] };
  const slices = [current];
  let bytes = AROUND_THEM;
  for (const [number, turn] of turns.entries())
    for (const text of piecesOf(turn.text, longest)) {
      const piece = { ...turn, text };
      const size = Buffer.byteLength(JSON.stringify(piece)) + 1;
      if (bytes + size > mostBytes && current.turns.length > 0) {
        current = { from: number, turns: [] };
        slices.push(current);
        bytes = AROUND_THEM;
      }
      const last = current.turns.at(-1);
      const goesOn = last && current.from + current.turns.length - 1 === number;
      if (goesOn) current.turns[current.turns.length - 1] = { ...last, text: last.text + text };
      else current.turns.push(piece);
      bytes += size;
    }
  return slices;
}

const BEGINS_A_PAIR = /[\ud800-\udbff]$/;

/** No longer than that, and no character is cut in two; one of an empty text. */
function* piecesOf(text: string, longest: number): Generator<string> {
  let from = 0;
  do {
    const piece = text.slice(from, from + longest);
    const isCut = from + piece.length < text.length && BEGINS_A_PAIR.test(piece);
    yield isCut ? piece.slice(0, -1) : piece;
    from += isCut ? piece.length - 1 : piece.length;
  } while (from < text.length);
}
