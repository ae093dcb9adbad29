import { episodeCreated, episodesExpired, memoryErased } from '../../events/memory.ts';
import { defineProjection } from '../projection.ts';

interface NextExpiry {
  readonly userId: string;
  readonly at: number;
}

interface NextExpiries {
  /** A user may be called `__proto__`, a stream not. */
  readonly byStream: Record<string, NextExpiry>;
}

/** When the next episode of each user has been kept for long enough; it may have been erased by then. */
export const nextExpiries = defineProjection<NextExpiries>({
  name: 'memory.nextExpiries',
  version: 2,
  handles: [episodeCreated.type, episodesExpired.type, memoryErased.type],
  initial: () => ({ byStream: {} }),
  apply({ byStream }, { stream, type, data, userId }) {
    const user = userId ?? '';
    if (type === episodeCreated.type) {
      const { expiresAt } = episodeCreated.data.parse(data);
      byStream[stream] = { userId: user, at: Math.min(byStream[stream]?.at ?? expiresAt, expiresAt) };
      return;
    }
    const next = type === episodesExpired.type ? episodesExpired.data.parse(data).next : null;
    if (next === null) delete byStream[stream];
    else byStream[stream] = { userId: user, at: next };
  },
});
