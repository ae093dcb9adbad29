import { remembered } from '../../../projections/memory/remembered.ts';
import { memoryTypes, touchedBy } from '../../../projections/memory/touched.ts';
import { userViewAt } from '../../../projections/runtime.ts';
import { shareOf } from '../../operations/memoryShapes.ts';
import type { Fields, Shown } from './shown.ts';

export const shownEpisodes: Shown = {
  name: 'episodes',
  about: 'what was remembered of conversations',
  key: 'episode',
  handles: memoryTypes,
  keysOf: touchedBy,
  async entriesAt(store, until, userId) {
    const { episodes } = await userViewAt(store, remembered, userId, { position: until });
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
    const { conclusions } = await userViewAt(store, remembered, userId, { position: until });
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
