import { entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import type { UserProjection } from '../projection.ts';

/** Everything with a name that one user's episodes told of: decisions about it need to know as much as readers do. */
export const knownEntities: UserProjection<UserEntities> = {
  name: userEntities.name,
  version: userEntities.version,
  stream: entitiesStream,
  get initial(): UserEntities {
    return userEntities.initial;
  },
  evolve: userEntities.evolve,
};
