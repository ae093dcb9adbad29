import { entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import type { UserProjection } from '../projection.ts';

/** Everything with a name that one user's episodes told of: decisions about it need to know as much as readers do. */
export const knownEntities: UserProjection<UserEntities> = {
  name: 'entities',
  version: 1,
  stream: entitiesStream,
  get initial(): UserEntities {
    return userEntities.initial;
  },
  evolve: userEntities.evolve,
};
