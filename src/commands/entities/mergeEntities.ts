import { HarkError } from '../../errors.ts';
import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';
import { knownMembers } from './knownEntity.ts';

export interface MergeEntities {
  /** The one that stays. */
  readonly primaryId: string;
  readonly entityId: string;
}

export const mergeEntities = defineCommand<MergeEntities, UserEntities>({
  name: 'entities.merge',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { primaryId, entityId }): EntityEvent[] {
    if (primaryId === entityId)
      throw new HarkError('BAD_REQUEST', { message: 'An entity cannot be merged with itself' });
    knownMembers(known, primaryId);
    knownMembers(known, entityId);
    return [{ type: 'entities.entity.merged', data: { entityId: primaryId, mergedId: entityId } }];
  },
});
