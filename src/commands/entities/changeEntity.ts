import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import type { EntityType } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';
import { knownMembers } from './knownEntity.ts';

interface ChangeEntity {
  readonly entityId: string;
  readonly name?: string | undefined;
  readonly type?: EntityType | undefined;
  readonly aliases?: readonly string[] | undefined;
}

/** The user knows best what something is called, and what it is. */
export const changeEntity = defineCommand<ChangeEntity, UserEntities>({
  name: 'entities.change',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { entityId, name = null, type = null, aliases = null }): EntityEvent[] {
    knownMembers(known, entityId);
    if (name === null && type === null && aliases === null) return [];
    return [{ type: 'entities.entity.changed', data: { entityId, type, name, aliases } }];
  },
});
