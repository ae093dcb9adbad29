import { setImmediate as breath } from 'node:timers/promises';
import { chatStream } from '../../events/chat.ts';
import { type EventOf, isEvent } from '../../events/definition.ts';
import { conversationImported, type episodeCreated, type ImportedTurn } from '../../events/episodes.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { wordsToldBy } from './echoes.ts';
import { type SpokenWords, wordsOf } from './words.ts';

type Imported = Extract<MemoryEvent, { type: 'memory.conversation.imported' }>['data'];

/** What came with an episode from elsewhere, right before it. */
export async function importedWith(
  store: EventReader,
  created: StoredEvent & EventOf<typeof episodeCreated>,
): Promise<readonly ImportedTurn[] | undefined> {
  const before = { fromVersion: Math.max(1, created.version - 1), firstPage: 1 };
  for await (const [first] of store.readStream(created.stream, before))
    return first && isEvent(first, conversationImported) ? wordsUpTo(store, created, first.data) : undefined;
  return undefined;
}

/** The same for who has read already what comes before the episode. */
export async function wordsUpTo(
  store: EventReader,
  created: StoredEvent & EventOf<typeof episodeCreated>,
  { episodeId, slice, turns }: Imported,
): Promise<readonly ImportedTurn[] | undefined> {
  if (episodeId !== created.data.episodeId) return undefined;
  if (!slice) return turns ?? undefined;
  // Others may have written in between, though seldom much.
  for (let back = 2 * slice.of; ; back *= 2) {
    const fromVersion = Math.max(1, created.version - back);
    const words = await slicesOf(store, created, { episodeId, fromVersion });
    if (words || fromVersion === 1) return words;
  }
}

/** Undefined where the first of them comes before that. */
async function slicesOf(
  store: EventReader,
  { stream, position: untilPosition }: StoredEvent,
  { episodeId, fromVersion }: { readonly episodeId: string; readonly fromVersion: number },
): Promise<readonly ImportedTurn[] | undefined> {
  let words: ImportedTurn[] | undefined;
  for await (const events of store.readStream(stream, { fromVersion, untilPosition }))
    for (const event of events) {
      if (!isEvent(event, conversationImported)) continue;
      const { slice, turns, ...of } = event.data;
      if (of.episodeId !== episodeId || !turns) continue;
      if (slice?.number === 0) words = [];
      if (words) addSlice(words, slice?.from ?? 0, turns);
      await breath();
    }
  return words;
}

/** Where the text of a turn goes on in the next slice, it becomes one again. */
export function addSlice(words: ImportedTurn[], from: number, turns: readonly ImportedTurn[]): void {
  const [first, ...others] = turns;
  const last = words.at(-1);
  if (!first) return;
  if (last && from === words.length - 1) words[from] = { ...last, text: last.text + first.text };
  else words.push(first);
  for (const turn of others) words.push(turn);
}

/** What was said in an episode that was just created; its summary where nothing else came from elsewhere. */
export async function wordsOfEpisode(
  store: EventReader,
  created: StoredEvent & EventOf<typeof episodeCreated>,
): Promise<readonly SpokenWords[]> {
  const { owner, data: episode } = created;
  const { episodeId, conversationId, sessionId, turnId, summary: text, happenedAt: at } = episode;
  // Forgotten, though the word that it is gone comes later in the log.
  if (text === null) return [];
  if (conversationId !== null) {
    const stream = chatStream(owner, { sessionId, turnId: turnId ?? conversationId });
    const words = await wordsOf(store, stream, conversationId);
    // Where no transcript is kept, what was said is what the summary tells.
    if (words.length > 0) return wordsToldBy(episode, words);
  }
  const imported = await importedWith(store, created);
  if (imported) return imported.map((turn, index) => ({ turnId: `${index}`, ...turn }));
  // Whose words a summary of what was captured is made of, nobody can say.
  if (episode.capture) return [{ turnId: episodeId, role: 'prompt', text, at }];
  return [{ turnId: episodeId, role: 'user', text: text.replace(BY_OTHERS, ' '), at }];
}

/** Of a summary that tells who said what. */
const BY_OTHERS = /(?<=^|\s)(?:Assistant|Prompt): .*?(?=\sUser: |$)/gs;
