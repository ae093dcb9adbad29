import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';
import { erasure } from './erasure.ts';

interface ForgetEpisodes {
  /** `all` when the user's whole memory was erased. */
  readonly episodeIds: readonly string[] | 'all';
}

/**
 * What erased episodes said of entities goes, and those that are known from nothing else. It is told also when
 * nothing is known of them: a reader of one of them may still be at work, and must not bring it back.
 */
export const forgetEpisodes = defineCommand<ForgetEpisodes, UserEntities>({
  name: 'entities.forgetEpisodes',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { episodeIds }): EntityEvent[] {
    const entities = Object.values(known.entities);
    if (episodeIds === 'all') {
      const entityIds = entities.map(({ id }) => id);
      const all = Object.keys(known.read);
      return [erasure(known, { because: 'memory-erased', entityIds, episodeIds: all })];
    }
    const gone = new Set(episodeIds);
    const baseless = entities.filter(({ mentions }) =>
      mentions.every(({ episodeId }) => gone.has(episodeId)),
    );
    const entityIds = baseless.map(({ id }) => id);
    return [erasure(known, { because: 'source-erased', entityIds, episodeIds })];
  },
});
