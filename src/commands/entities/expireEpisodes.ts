import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';

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
