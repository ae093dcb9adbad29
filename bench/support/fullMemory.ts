import { encoded } from '../../src/application/memory/vectorEvents.ts';
import { eventCatalog } from '../../src/events/catalog.ts';
import { type MemoryEvent, memoryStream } from '../../src/events/memory.ts';
import type { ModelRef } from '../../src/events/providers.ts';
import { Log } from '../../src/store/log.ts';
import { openAdapter } from '../../src/store/open.ts';
import { wordVector } from './wordVectors.ts';

const AT_ONCE = 500;
const MINUTE = 60_000;

/** Writes a user's memory as it would have grown: each text an episode, with its vector of this model. */
export async function writeMemory(
  folder: string,
  userId: string,
  texts: readonly string[],
  by: ModelRef,
): Promise<void> {
  const store = await Log.open(await openAdapter('embedded', folder), eventCatalog);
  const now = Date.now();
  const who = { userId, correlationId: 'bench', causationId: null };
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const events = texts.slice(from, from + AT_ONCE).flatMap((text, index): readonly MemoryEvent[] => {
      const episodeId = `e${from + index}`;
      const happenedAt = now - (texts.length - from - index) * MINUTE;
      const made = { ...by, vectors: [wordVector(text)] };
      return [
        episodeOf(episodeId, text, happenedAt),
        ...encoded([{ id: episodeId, episodeId }], made).map(
          (data) => ({ type: 'memory.vectors.made', data }) as const,
        ),
      ];
    });
    await store.append({ stream: memoryStream(userId), events, expected: 'any', at: now, ...who });
  }
  await store.close();
}

function episodeOf(episodeId: string, summary: string, happenedAt: number): MemoryEvent {
  const place = { sessionId: null, conversationId: null, turnId: null };
  const said = { summary, topic: 'this and that', keywords: [], importance: 5, reasons: [] };
  const times = { happenedAt, expiresAt: Number.MAX_SAFE_INTEGER };
  return {
    type: 'memory.episode.created',
    data: { episodeId, type: 'imported', ...place, ...said, ...times, by: 'offline' },
  };
}
