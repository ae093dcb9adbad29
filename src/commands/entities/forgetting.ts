import {
  type EntityEvent,
  entitiesStream,
  entitySubject,
  mentionSubject,
  RELATIONSHIPS,
  relationshipSubject,
} from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';
import { knownMembers } from './changeEntity.ts';

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

interface ForgetEpisodes {
  /** `all` when the user's whole memory was erased. */
  readonly episodeIds: readonly string[] | 'all';
}

/**
 * What erased episodes said of entities goes, and those that are known from nothing else. It is told also when
 * nothing is known of them: a reader of one of them may still be at work, and must not bring it back.
 */
export const forgetEpisodes = defineCommand<ForgetEpisodes, UserEntities>({
  name: 'entities.forgetEpisodes',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { episodeIds }): EntityEvent[] {
    const entities = Object.values(known.entities);
    if (episodeIds === 'all') {
      const entityIds = entities.map(({ id }) => id);
      const all = Object.keys(known.read);
      return [erasure(known, { because: 'memory-erased', entityIds, episodeIds: all })];
    }
    const gone = new Set(episodeIds);
    const baseless = entities.filter(({ mentions }) =>
      mentions.every(({ episodeId }) => gone.has(episodeId)),
    );
    const entityIds = baseless.map(({ id }) => id);
    return [erasure(known, { because: 'source-erased', entityIds, episodeIds })];
  },
});

/** The time of episodes is over; what they named stays known. */
export const expireEpisodes = defineCommand<{ readonly episodeIds: readonly string[] }, UserEntities>({
  name: 'entities.expireEpisodes',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide({ read }, { episodeIds }): EntityEvent[] {
    const expired = episodeIds.filter((id) => Object.hasOwn(read, id));
    return expired.length === 0 ? [] : [{ type: 'entities.episodes.expired', data: { episodeIds: expired } }];
  },
});

interface Erased {
  readonly because: 'asked' | 'source-erased' | 'memory-erased';
  readonly entityIds: readonly string[];
  /** Nothing that these said may be known any more, of whatever stays. */
  readonly episodeIds: readonly string[];
}

/** With entities go their relationships, and with each the keys of all that was said of it. */
function erasure(known: UserEntities, { because, entityIds, episodeIds }: Erased): EntityEvent {
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
