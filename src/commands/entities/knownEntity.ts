import { HarkError } from '../../errors.ts';
import type { Entity, UserEntities } from '../../folds/entities/entities.ts';
import { membersOf } from '../../folds/entities/whole.ts';

export function unknownEntity(entityId: string): HarkError {
  return new HarkError('ENTITY_UNKNOWN', { body: { entityId } });
}

/** An entity that a caller names, with what counts as it. What counts as another one is not known by itself. */
export function knownMembers(known: UserEntities, entityId: string): readonly [Entity, ...Entity[]] {
  const [primary, ...others] = membersOf(known, entityId);
  if (!primary) throw unknownEntity(entityId);
  return [primary, ...others];
}
