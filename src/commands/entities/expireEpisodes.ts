import type { EntityEvent } from '../../events/entities.ts';
import { defineCommand } from '../command.ts';
import { entitiesStream, type UserEntities, userEntities } from './state.ts';

/** The time of episodes is over; what they named stays known. */
export const expireEpisodes = defineCommand<{ readonly episodeIds: readonly string[] }, UserEntities>({
  name: 'entities.expireEpisodes',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide({ read }, { episodeIds }): EntityEvent[] {
    const expired = episodeIds.filter((id) => Object.hasOwn(read, id));
    return expired.length === 0 ? [] : [{ type: 'entities.episodes.expired', data: { episodeIds: expired } }];
  },
});
