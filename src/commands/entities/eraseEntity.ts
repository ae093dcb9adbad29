import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';
import { erasure } from './erasure.ts';
import { knownMembers } from './knownEntity.ts';

interface EraseEntity {
  readonly entityId: string;
}

/** With an entity goes what was merged into it. */
export const eraseEntity = defineCommand<EraseEntity, UserEntities>({
  name: 'entities.erase',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { entityId }): EntityEvent[] {
    const entityIds = knownMembers(known, entityId).map(({ id }) => id);
    return [erasure(known, { because: 'asked', entityIds, episodeIds: [] })];
  },
});
