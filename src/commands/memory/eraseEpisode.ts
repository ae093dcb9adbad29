import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import type { MemoryEvent } from '../../events/memory.ts';
import type { Conclusions } from '../../folds/memory/conclusions.ts';
import { talkOf } from '../../folds/memory/talk.ts';
import type { KnownEpisodes } from './episodes.ts';
import { defineMemoryCommand } from './state.ts';

interface EraseEpisode {
  readonly episodeId: string;
}

/**
 * With an episode goes the conversation that it tells of, what else was kept of that, and what is believed for no
 * other reason.
 */
export const eraseEpisode = defineMemoryCommand<EraseEpisode>({
  name: 'memory.eraseEpisode',
  decide({ episodes, conclusions }: KnownEpisodes & Conclusions, { episodeId }): MemoryEvent[] {
    const known = entryOf(episodes, episodeId);
    if (!known) throw new HarkError('EPISODE_UNKNOWN', { body: { episodeId } });
    const talk = talkOf(known);
    const erased = Object.values(episodes).filter(
      (one) => one === known || (talk !== null && talkOf(one) === talk),
    );
    const ids = new Set(erased.map((one) => one.episodeId));
    const baseless = Object.values(conclusions).filter(
      ({ sources }) => sources.length > 0 && sources.every((id) => ids.has(id)),
    );
    const because = 'source-erased' as const;
    return [
      {
        type: 'memory.episodes.erased',
        data: {
          episodes: erased.map((one) => ({ episodeId: one.episodeId, conversationId: one.conversationId })),
        },
      },
      ...(baseless.length === 0
        ? []
        : [
            {
              type: 'memory.conclusions.erased' as const,
              data: { conclusionIds: baseless.map(({ id }) => id), because },
            },
          ]),
    ];
  },
});
