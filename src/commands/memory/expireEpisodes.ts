import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import type { Conversations } from './conversations.ts';
import type { KnownEpisode, KnownEpisodes } from './episodes.ts';
import { defineMemoryCommand } from './state.ts';

interface ExpireEpisodes {
  readonly now: number;
}

/** So many at once: each takes keys with it, and others wait for their turn meanwhile. */
const AT_ONCE = 500;

/**
 * Episodes whose time is over, words whose episode never came, and conclusions that a sweep put aside so long ago that
 * they cannot be restored any more. What was concluded from the episodes is believed on; the words of a conversation
 * stay until the last episode that tells of them is gone, and until it is settled what they came to. That there are
 * none is worth an event too: it says when there will be some.
 */
export const expireEpisodes = defineMemoryCommand<ExpireEpisodes>({
  name: 'memory.expireEpisodes',
  decide(
    { arriving, episodes, consolidated, aside }: KnownEpisodes & Conversations & Conclusions,
    { now },
  ): MemoryEvent[] {
    const byAge = Object.values(episodes).sort((one, other) => one.expiresAt - other.expiresAt);
    const over = byAge.filter(({ expiresAt }) => expiresAt <= now).slice(0, AT_ONCE);
    const told = new Set(byAge.slice(over.length).map(({ conversationId }) => conversationId));
    const isUntold = ({ sessionId, conversationId }: KnownEpisode) =>
      !told.has(conversationId) && (sessionId === null || consolidated[conversationId ?? ''] === true);
    const gone = over.map((episode) => ({
      episodeId: episode.episodeId,
      conversationId: isUntold(episode) ? episode.conversationId : null,
    }));
    const waiting = Object.entries(arriving).sort(([, one], [, other]) => one.until - other.until);
    const unfinished = waiting
      .filter(([, { until }]) => until <= now)
      .slice(0, AT_ONCE)
      .map(([episodeId]) => ({ episodeId, conversationId: null }));
    const putAside = Object.entries(aside).sort(([, one], [, other]) => one - other);
    const conclusionIds = putAside.flatMap(([id, until]) => (until <= now ? [id] : [])).slice(0, AT_ONCE);
    const later = [
      byAge[over.length]?.expiresAt,
      waiting[unfinished.length]?.[1].until,
      putAside[conclusionIds.length]?.[1],
    ];
    const next = later.filter((at) => at !== undefined).sort((one, other) => one - other)[0] ?? null;
    const because = 'expired' as const;
    return [
      ...(conclusionIds.length === 0
        ? []
        : [{ type: 'memory.conclusions.erased' as const, data: { conclusionIds, because } }]),
      { type: 'memory.episodes.expired', data: { episodes: [...gone, ...unfinished], next } },
    ];
  },
});
