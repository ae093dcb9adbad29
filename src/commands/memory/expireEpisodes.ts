import type { MemoryEvent } from '../../events/memory.ts';
import { defineCommand } from '../command.ts';
import { memoryStream, type UserMemory, userMemory } from './state.ts';

interface ExpireEpisodes {
  readonly now: number;
}

/** So many at once: each takes keys with it, and others wait for their turn meanwhile. */
const AT_ONCE = 500;

/**
 * Episodes whose time is over. What was concluded from them is believed on. That there are none is worth an event
 * too: it says when there will be some.
 */
export const expireEpisodes = defineCommand<ExpireEpisodes, UserMemory>({
  name: 'memory.expireEpisodes',
  state: userMemory,
  scope: 'user',
  stream: (_input, userId) => memoryStream(userId),
  decide({ episodes }, { now }): MemoryEvent[] {
    const byAge = Object.values(episodes).sort((one, other) => one.expiresAt - other.expiresAt);
    const over = byAge.filter(({ expiresAt }) => expiresAt <= now).slice(0, AT_ONCE);
    const gone = over.map(({ episodeId, conversationId }) => ({ episodeId, conversationId }));
    const next = byAge[over.length]?.expiresAt ?? null;
    return [{ type: 'memory.episodes.expired', data: { episodes: gone, next } }];
  },
});
