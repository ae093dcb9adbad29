import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';
import { knownMembers, unknownEntity } from './knownEntity.ts';
import type { MergeEntities } from './mergeEntities.ts';

/** Takes an entity out of another again, with what has been found of it meanwhile and what it had merged itself. */
export const unmergeEntities = defineCommand<MergeEntities, UserEntities>({
  name: 'entities.unmerge',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { primaryId, entityId }): EntityEvent[] {
    const [, ...merged] = knownMembers(known, primaryId);
    if (!merged.some(({ id }) => id === entityId)) throw unknownEntity(entityId);
    return [{ type: 'entities.entity.unmerged', data: { entityId: primaryId, mergedId: entityId } }];
  },
});
