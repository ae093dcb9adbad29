import { episodeCreated, episodesExpired, memoryErased } from '../../events/memory.ts';
import { defineProjection } from '../projection.ts';

interface NextExpiries {
  readonly byUser: Record<string, number>;
}

/** When the next episode of each user has been kept for long enough; it may have been erased by then. */
export const nextExpiries = defineProjection<NextExpiries>({
  name: 'memory.nextExpiries',
  version: 1,
  handles: [episodeCreated.type, episodesExpired.type, memoryErased.type],
  initial: () => ({ byUser: {} }),
  apply({ byUser }, { type, data, userId }) {
    const user = userId ?? '';
    if (type === episodeCreated.type) {
      const { expiresAt } = episodeCreated.data.parse(data);
      byUser[user] = Math.min(byUser[user] ?? expiresAt, expiresAt);
      return;
    }
    const next = type === episodesExpired.type ? episodesExpired.data.parse(data).next : null;
    if (next === null) delete byUser[user];
    else byUser[user] = next;
  },
});
