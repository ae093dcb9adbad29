import { memoryStream, type UserMemory, userMemory } from '../../../commands/memory/state.ts';
import { memoryTypes, touchedBy } from '../../../projections/memory/touched.ts';
import type { Position, Store } from '../../../store/port.ts';
import { shareOf } from '../../operations/memoryShapes.ts';
import type { Fields, Shown } from './shown.ts';

export const shownEpisodes: Shown = {
  name: 'episodes',
  about: 'what was remembered of conversations',
  key: 'episode',
  handles: memoryTypes,
  keysOf: touchedBy,
  async entriesAt(store, until, userId) {
    const { episodes } = await memoryUntil(store, until, userId);
    return new Map<string, Fields>(
      Object.values(episodes).map(
        ({ episodeId, happenedAt, type, importance, topic, summary, sessionId, expiresAt }) => [
          episodeId,
          { happenedAt, type, importance: shareOf(importance), topic, summary, sessionId, expiresAt },
        ],
      ),
    );
  },
};

export const shownConclusions: Shown = {
  name: 'conclusions',
  about: 'what was believed of a user',
  key: 'conclusion',
  handles: memoryTypes,
  keysOf: touchedBy,
  async entriesAt(store, until, userId) {
    const { conclusions } = await memoryUntil(store, until, userId);
    return new Map<string, Fields>(
      Object.values(conclusions).map(
        ({ id, text, type, confidence, status, supersededBy, lastEvidenceAt }) => [
          id,
          { text, type, confidence, status, supersededBy, lastEvidenceAt },
        ],
      ),
    );
  },
};

/** As far as it has not been forgotten since: looking back brings nothing of that to light. */
export async function memoryUntil(store: Store, until: Position, userId: string): Promise<UserMemory> {
  let memory = userMemory.initial;
  for await (const events of store.readStream(memoryStream(userId), { untilPosition: until }))
    for (const event of events) memory = userMemory.evolve(memory, event);
  return memory;
}
