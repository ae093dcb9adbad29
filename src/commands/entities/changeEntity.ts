import { HarkError } from '../../errors.ts';
import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type Entity, type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { membersOf } from '../../folds/entities/whole.ts';
import type { EntityType } from '../../vocabulary.ts';
import { defineCommand } from '../command.ts';

export function unknownEntity(entityId: string): HarkError {
  return new HarkError('ENTITY_UNKNOWN', { body: { entityId } });
}

/** An entity that a caller names, with what counts as it. What counts as another one is not known by itself. */
export function knownMembers(known: UserEntities, entityId: string): readonly [Entity, ...Entity[]] {
  const [primary, ...others] = membersOf(known, entityId);
  if (!primary) throw unknownEntity(entityId);
  return [primary, ...others];
}

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

interface MergeEntities {
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
