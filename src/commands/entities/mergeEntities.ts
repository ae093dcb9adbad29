import { HarkError } from '../../errors.ts';
import type { EntityEvent } from '../../events/entities.ts';
import { defineCommand } from '../command.ts';
import { knownMembers } from './knownEntity.ts';
import { entitiesStream, type UserEntities, userEntities } from './state.ts';

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
