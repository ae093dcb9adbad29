import { entryOf } from '../../entryOf.ts';
import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import {
  type Entity,
  type Mention,
  type Relationship,
  type UserEntities,
  userEntities,
} from '../../folds/entities/entities.ts';
import { defineCommand } from '../command.ts';

/** Entities of another memory, under the ids that they are to have in this one. */
export interface ImportEntities {
  /** Episodes that come along, and are not to be read for names again. */
  readonly read: readonly string[];
  readonly entities: readonly Entity[];
  readonly relationships: readonly Relationship[];
}

/** Takes in what is not there yet. What is known of an entity already stays, and so does what it counts as. */
export const importEntities = defineCommand<ImportEntities, UserEntities>({
  name: 'entities.import',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { read, entities, relationships }): EntityEvent[] {
    const unread = read.filter((id) => !Object.hasOwn(known.read, id));
    const events: EntityEvent[] =
      unread.length === 0 ? [] : [{ type: 'entities.episodes.read', data: { episodeIds: unread } }];
    const mergedInto = new Map<string, string>();
    for (const entity of entities) events.push(...added(known, entity, mergedInto));
    for (const relationship of relationships) events.push(...stated(known, relationship));
    const over = [
      ...entities.flatMap(({ mentions }) => mentions),
      ...relationships.flatMap(({ evidence }) => evidence),
    ];
    const expired = new Set(over.flatMap(({ episodeId, isExpired }) => (isExpired ? [episodeId] : [])));
    if (events.length > 0 && expired.size > 0)
      events.push({ type: 'entities.episodes.expired', data: { episodeIds: [...expired] } });
    return events;
  },
});

/** By it, a mention is known again. */
export function mentionKey({ episodeId, type, name }: Pick<Mention, 'episodeId' | 'type' | 'name'>): string {
  return JSON.stringify([episodeId, type, name]);
}

function added(
  { entities }: UserEntities,
  { id: entityId, mentions, given, mergedInto }: Entity,
  merged: Map<string, string>,
): readonly EntityEvent[] {
  const before = entryOf(entities, entityId);
  const told = new Set(before?.mentions.map(mentionKey));
  const events = mentions
    .filter((mention) => !told.has(mentionKey(mention)))
    .map(({ isExpired: _, ...mention }): EntityEvent => {
      return { type: 'entities.entity.mentioned', data: { ...mention, entityId } };
    });
  if (before) return events;
  if (given.type !== null || given.name !== null || given.aliases !== null)
    events.push({ type: 'entities.entity.changed', data: { ...given, entityId } });
  const intoOf = (id: string) => merged.get(id) ?? entities[id]?.mergedInto ?? null;
  if (mergedInto === null || leadsTo(entityId, mergedInto, intoOf)) return events;
  merged.set(entityId, mergedInto);
  return [...events, { type: 'entities.entity.merged', data: { entityId: mergedInto, mergedId: entityId } }];
}

/** Whatever a file says: nothing counts as itself in the end. */
function leadsTo(wanted: string, from: string, intoOf: (id: string) => string | null): boolean {
  for (let id: string | null = from; id !== null; id = intoOf(id)) if (id === wanted) return true;
  return false;
}

function stated(
  { relationships }: UserEntities,
  { id: relationshipId, from, to, evidence }: Relationship,
): readonly EntityEvent[] {
  const before = entryOf(relationships, relationshipId);
  const told = new Set(before?.evidence.map(({ episodeId }) => episodeId));
  return evidence
    .filter(({ episodeId }) => !told.has(episodeId))
    .map(({ isExpired: _, ...one }): EntityEvent => {
      return { type: 'entities.relationship.stated', data: { ...one, relationshipId, from, to } };
    });
}
