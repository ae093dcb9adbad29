import { entryOf } from '../../entryOf.ts';
import { HarkError } from '../../errors.ts';
import { type EntityEvent, entitiesStream } from '../../events/entities.ts';
import { type UserEntities, userEntities } from '../../folds/entities/entities.ts';
import { relationshipKey, rootOf, USER, wholeRelationships } from '../../folds/entities/whole.ts';
import { defineCommand } from '../command.ts';
import { type EntityName, KnownNames } from './knownNames.ts';

/** The model that reads what an episode names is away; how often that was waited for is counted. */
export const deferReading = defineCommand<{ readonly episodeId: string }, UserEntities>({
  name: 'entities.deferReading',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide({ read, deferrals }, { episodeId }): EntityEvent[] {
    if (Object.hasOwn(read, episodeId)) return [];
    const attempt = (entryOf(deferrals, episodeId) ?? 0) + 1;
    return [{ type: 'entities.reading.deferred', data: { episodeId, attempt } }];
  },
});

export interface FoundEntity extends EntityName {
  readonly mentions: number;
  readonly turnIds: readonly string[];
  /** The entity whose name means the same, as far as a model of meanings can tell. */
  readonly like?: string;
}

export interface FoundRelationship {
  /** A name of a found entity, or `user`. */
  readonly from: string;
  readonly to: string;
  readonly type: string;
  readonly confidence: number;
}

export interface RecordEntities {
  readonly episodeId: string;
  readonly conversationId: string | null;
  readonly seenAt: number;
  readonly by: 'model' | 'offline';
  readonly entities: readonly FoundEntity[];
  readonly relationships: readonly FoundRelationship[];
  /** As they were when the episode was read: what was erased since must not come back. */
  readonly erasures: number;
}

/** What an episode names, each under the entity that it already is where there is one. */
export const recordEntities = defineCommand<RecordEntities, UserEntities>({
  name: 'entities.record',
  state: userEntities,
  scope: 'user',
  stream: (_input, userId) => entitiesStream(userId),
  decide(known, { entities, relationships, erasures, by, seenAt, ...witness }, { newId }): EntityEvent[] {
    if (Object.hasOwn(known.read, witness.episodeId)) return [];
    if (known.erasures !== erasures) throw new HarkError('MEMORY_CHANGED');
    const { mentions, idOf } = identified(known, entities, newId);
    return [
      ...Array.from(mentions, ([entityId, { name, type, aliases, mentions, turnIds }]): EntityEvent => {
        const data = { ...witness, entityId, type, name, aliases, mentions, turnIds, seenAt, by };
        return { type: 'entities.entity.mentioned', data };
      }),
      ...stated(known, relationships, idOf, newId).map((data): EntityEvent => {
        return { type: 'entities.relationship.stated', data: { ...witness, ...data } };
      }),
    ];
  },
});

interface Identified {
  readonly mentions: ReadonlyMap<string, FoundEntity>;
  /** Of the names that were found. */
  readonly idOf: ReadonlyMap<string, string>;
}

function identified(known: UserEntities, entities: readonly FoundEntity[], newId: () => string): Identified {
  const mentions = new Map<string, FoundEntity>();
  const idOf = new Map([[USER, USER]]);
  if (entities.length === 0) return { mentions, idOf };
  const names = new KnownNames(known);
  for (const found of entities) {
    const id = names.byName(found) ?? likeOf(known, found) ?? names.bySpelling(found) ?? newId();
    const same = mentions.get(id);
    mentions.set(id, same ? together(same, found) : found);
    if (!same && !Object.hasOwn(known.entities, id)) names.add(id, found);
    for (const name of [found.name, ...found.aliases]) if (!idOf.has(name)) idOf.set(name, id);
  }
  return { mentions, idOf };
}

/** It may have been erased while it was compared. */
function likeOf({ entities }: UserEntities, { like }: FoundEntity): string | undefined {
  return like !== undefined && Object.hasOwn(entities, like) ? like : undefined;
}

function together(one: FoundEntity, other: FoundEntity): FoundEntity {
  const aliases = new Set([...one.aliases, other.name, ...other.aliases]);
  aliases.delete(one.name);
  const turnIds = [...new Set([...one.turnIds, ...other.turnIds])];
  return { ...one, aliases: [...aliases], turnIds, mentions: one.mentions + other.mentions };
}

interface Stated extends FoundRelationship {
  readonly relationshipId: string;
}

/** What says again what is known counts for that; whose ends are nobody that was found is dropped. */
function stated(
  known: UserEntities,
  relationships: readonly FoundRelationship[],
  idOf: ReadonlyMap<string, string>,
  newId: () => string,
): readonly Stated[] {
  if (relationships.length === 0) return [];
  const ids = new Map(
    wholeRelationships(known).map(({ id, from, type, to }) => [relationshipKey(from, type, to), id]),
  );
  const found = new Map<string, Stated>();
  for (const relationship of relationships) {
    const [from, to] = [idOf.get(relationship.from), idOf.get(relationship.to)];
    if (from === undefined || to === undefined || from === to) continue;
    const key = relationshipKey(rootOf(known, from), relationship.type, rootOf(known, to));
    const earlier = found.get(key);
    if (earlier && earlier.confidence >= relationship.confidence) continue;
    const relationshipId = earlier?.relationshipId ?? ids.get(key) ?? newId();
    const { type, confidence } = relationship;
    found.set(key, { relationshipId, from, to, type, confidence });
  }
  return [...found.values()];
}
