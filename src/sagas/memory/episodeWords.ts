import { chatStream } from '../../commands/chat/state.ts';
import { memoryStream } from '../../commands/memory/state.ts';
import { conversationImported, episodeCreated } from '../../events/memory.ts';
import type { Store } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { wordsToldBy } from './told.ts';
import { type SpokenWords, wordsOf } from './words.ts';

/** What was said in an episode that was just created; its summary where nothing else came from elsewhere. */
export async function wordsOfEpisode(store: Store, created: StoredEvent): Promise<readonly SpokenWords[]> {
  const { userId, data, version } = created;
  const episode = episodeCreated.data.parse(data);
  const { episodeId, conversationId, sessionId, turnId, summary: text, happenedAt: at } = episode;
  // Forgotten, though the word that it is gone comes later in the log.
  if (text === null) return [];
  if (conversationId !== null) {
    const stream = chatStream(userId ?? '', { sessionId, turnId: turnId ?? conversationId });
    return wordsToldBy(episode, await wordsOf(store, stream, conversationId));
  }
  const imported = await importedWith(store, { userId: userId ?? '', episodeId, version });
  return imported ?? [{ turnId: episodeId, role: 'user', text: text.replace(BY_OTHERS, ' '), at }];
}

/** Of a summary that tells who said what. */
const BY_OTHERS = /(?<=^|\s)(?:Assistant|Prompt): .*?(?=\sUser: |$)/gs;

/** A conversation from elsewhere comes right before its episode. */
async function importedWith(
  store: Store,
  { userId, episodeId, version }: { userId: string; episodeId: string; version: number },
): Promise<readonly SpokenWords[] | undefined> {
  const before = { fromVersion: Math.max(1, version - 1), firstPage: 1 };
  for await (const [first] of store.readStream(memoryStream(userId), before)) {
    if (first?.type !== conversationImported.type) return undefined;
    const imported = conversationImported.data.parse(first.data);
    if (imported.episodeId !== episodeId) return undefined;
    return imported.turns?.map((turn, index) => ({ turnId: `${index}`, ...turn }));
  }
  return undefined;
}
