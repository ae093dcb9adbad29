import {
  type EntityEvent,
  entitySubject,
  mentionSubject,
  RELATIONSHIPS,
  relationshipSubject,
} from '../../events/entities.ts';
import type { UserEntities } from '../../folds/entities/entities.ts';

interface Erased {
  readonly because: 'asked' | 'source-erased' | 'memory-erased';
  readonly entityIds: readonly string[];
  /** Nothing that these said may be known any more, of whatever stays. */
  readonly episodeIds: readonly string[];
}

/** With entities go their relationships, and with each the keys of all that was said of it. */
export function erasure(known: UserEntities, { because, entityIds, episodeIds }: Erased): EntityEvent {
  const [gone, said] = [new Set(entityIds), new Set(episodeIds)];
  const relationships = Object.values(known.relationships);
  const relationshipIds = relationships
    .filter(
      ({ from, to, evidence }) =>
        gone.has(from) || gone.has(to) || evidence.every(({ episodeId }) => said.has(episodeId)),
    )
    .map(({ id }) => id);
  const ended = new Set(relationshipIds);
  const changedIds = Object.values(known.entities)
    .filter(({ id, mentions }) => !gone.has(id) && mentions.some(({ episodeId }) => said.has(episodeId)))
    .map(({ id }) => id);
  const subjects = [
    ...entityIds.map((entityId) => entitySubject({ entityId })),
    ...Object.values(known.entities).flatMap(({ id: entityId, mentions }) =>
      mentions
        .filter(({ episodeId }) => gone.has(entityId) || said.has(episodeId))
        .map(({ episodeId }) => mentionSubject({ entityId, episodeId })),
    ),
    ...relationships.flatMap(({ id: relationshipId, evidence }) =>
      evidence
        .filter(({ episodeId }) => ended.has(relationshipId) || said.has(episodeId))
        .map(({ episodeId }) => relationshipSubject({ relationshipId, episodeId })),
    ),
  ];
  if (subjects.length > 0 && Object.keys(known.embedded).length > 0) subjects.push(RELATIONSHIPS);
  const ids = { entityIds, changedIds, relationshipIds, episodeIds };
  const data = { because, ...ids, subjects: [...new Set(subjects)] };
  return { type: 'entities.erased', data };
}
