import { chatStream } from '../../events/chat.ts';
import { episodeCreated } from '../../events/memory.ts';
import type { EventReader } from '../../store/port.ts';
import type { StoredEvent } from '../../store/storedEvent.ts';
import { importedWith } from './importedWords.ts';
import { wordsToldBy } from './told.ts';
import { type SpokenWords, wordsOf } from './words.ts';

/** What was said in an episode that was just created; its summary where nothing else came from elsewhere. */
export async function wordsOfEpisode(
  store: EventReader,
  created: StoredEvent,
): Promise<readonly SpokenWords[]> {
  const { userId, data } = created;
  const episode = episodeCreated.data.parse(data);
  const { episodeId, conversationId, sessionId, turnId, summary: text, happenedAt: at } = episode;
  // Forgotten, though the word that it is gone comes later in the log.
  if (text === null) return [];
  if (conversationId !== null) {
    const stream = chatStream(userId ?? '', { sessionId, turnId: turnId ?? conversationId });
    return wordsToldBy(episode, await wordsOf(store, stream, conversationId));
  }
  const imported = await importedWith(store, created);
  if (imported) return imported.map((turn, index) => ({ turnId: `${index}`, ...turn }));
  return [{ turnId: episodeId, role: 'user', text: text.replace(BY_OTHERS, ' '), at }];
}

/** Of a summary that tells who said what. */
const BY_OTHERS = /(?<=^|\s)(?:Assistant|Prompt): .*?(?=\sUser: |$)/gs;
