import type { PastEvent } from '../../events/definition.ts';
import { type EntityEvent, RELATIONSHIPS, readEntityEvent } from '../../events/entities.ts';
import { modelName } from '../../events/providers.ts';
import type { StreamFold } from '../streamFold.ts';

type DataOf<Type extends EntityEvent['type']> = Extract<EntityEvent, { type: Type }>['data'];

interface Witness {
  readonly episodeId: string;
  readonly conversationId: string | null;
  /** The episode is gone because its time was over. */
  readonly isExpired: boolean;
}

/** The name is null once that is forgotten, until the word of it comes in the log. */
export type Mention = Witness & Omit<DataOf<'entities.entity.mentioned'>, 'entityId'>;

export interface Entity {
  readonly id: string;
  readonly mentions: readonly Mention[];
  /** What the user said of it. */
  readonly given: Omit<DataOf<'entities.entity.changed'>, 'entityId'>;
  readonly mergedInto: string | null;
}

export interface Evidence extends Witness {
  readonly confidence: number;
  readonly type: string | null;
}

export interface Relationship {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly evidence: readonly Evidence[];
}

/** Everything with a name that one user's episodes told of. */
export interface UserEntities {
  readonly entities: Record<string, Entity>;
  readonly relationships: Record<string, Relationship>;
  /** Episodes in which something was found, and those that are not to be read again. */
  readonly read: Record<string, true>;
  /** How often each episode that is yet to be read was put off. */
  readonly deferrals: Record<string, number>;
  /** By model and relationship, the sentence of which it has made a vector. */
  embedded: Record<string, Record<string, string>>;
  /** How often anything was erased: what was read before may be what is not to be known any more. */
  erasures: number;
  /** Grows with every event: what was drawn from the rest may be another by then. */
  changes: number;
}

const NOTHING_GIVEN: Entity['given'] = { type: null, name: null, aliases: null };

/** The state of the `entities-<user>` stream, for decisions as for readers. It is changed in place. */
export const userEntities: StreamFold<UserEntities> = {
  name: 'userEntities',
  version: 4,
  get initial(): UserEntities {
    return {
      entities: {},
      relationships: {},
      read: {},
      deferrals: {},
      embedded: {},
      erasures: 0,
      changes: 0,
    };
  },
  evolve(known: UserEntities, stored: PastEvent): UserEntities {
    const event = readEntityEvent(stored);
    if (!event) return known;
    known.changes++;
    apply(known, event);
    return known;
  },
};

function apply(known: UserEntities, event: EntityEvent): void {
  const { entities } = known;
  switch (event.type) {
    case 'entities.entity.mentioned': {
      const { entityId: id, ...mention } = event.data;
      const entity = entities[id] ?? { id, mentions: [], given: NOTHING_GIVEN, mergedInto: null };
      entities[id] = { ...entity, mentions: [...entity.mentions, { ...mention, isExpired: false }] };
      markRead(known, mention.episodeId);
      return;
    }
    case 'entities.entity.changed': {
      const { entityId, type, name, aliases } = event.data;
      change(entities, entityId, ({ given }) => ({
        given: {
          type: type ?? given.type,
          name: name ?? given.name,
          aliases: aliases ?? given.aliases,
        },
      }));
      return;
    }
    case 'entities.entity.merged':
      change(entities, event.data.mergedId, () => ({ mergedInto: event.data.entityId }));
      return;
    case 'entities.entity.unmerged':
      change(entities, event.data.mergedId, () => ({ mergedInto: null }));
      return;
    case 'entities.relationship.stated':
      state(known, event.data);
      return;
    case 'entities.relationships.embedded': {
      const { relationshipIds, texts } = event.data;
      const name = modelName(event.data);
      const made = texts?.map((text, index) => [relationshipIds[index] ?? '', text] as const);
      if (made) known.embedded[name] = { ...known.embedded[name], ...Object.fromEntries(made) };
      return;
    }
    case 'entities.episodes.read':
      for (const id of event.data.episodeIds) markRead(known, id);
      return;
    case 'entities.reading.deferred':
      known.deferrals[event.data.episodeId] = event.data.attempt;
      return;
    case 'entities.episodes.expired':
      expire(known, new Set(event.data.episodeIds));
      return;
    case 'entities.erased':
      erase(known, event.data);
  }
}

function state(known: UserEntities, stated: DataOf<'entities.relationship.stated'>): void {
  const { relationshipId: id, from, to, ...evidence } = stated;
  const { relationships } = known;
  const relationship = relationships[id] ?? { id, from, to, evidence: [] };
  const more = [...relationship.evidence, { ...evidence, isExpired: false }];
  relationships[id] = { ...relationship, evidence: more };
  markRead(known, stated.episodeId);
}

function markRead({ read, deferrals }: UserEntities, episodeId: string): void {
  read[episodeId] = true;
  delete deferrals[episodeId];
}

function expire({ entities, relationships, read, deferrals }: UserEntities, gone: ReadonlySet<string>): void {
  const expired = <One extends Witness>(one: One) =>
    gone.has(one.episodeId) ? { ...one, isExpired: true } : one;
  for (const entity of Object.values(entities))
    if (entity.mentions.some(({ episodeId }) => gone.has(episodeId)))
      entities[entity.id] = { ...entity, mentions: entity.mentions.map(expired) };
  for (const relationship of Object.values(relationships))
    if (relationship.evidence.some(({ episodeId }) => gone.has(episodeId)))
      relationships[relationship.id] = { ...relationship, evidence: relationship.evidence.map(expired) };
  for (const episodeId of gone) {
    delete read[episodeId];
    delete deferrals[episodeId];
  }
}

function erase(known: UserEntities, erased: DataOf<'entities.erased'>): void {
  const { entities, relationships, read, deferrals } = known;
  known.erasures++;
  if (erased.subjects.includes(RELATIONSHIPS)) known.embedded = {};
  for (const id of erased.entityIds) delete entities[id];
  for (const id of erased.relationshipIds) delete relationships[id];
  if (erased.episodeIds.length === 0) return;
  const gone = new Set(erased.episodeIds);
  const stays = ({ episodeId }: Witness) => !gone.has(episodeId);
  for (const entity of Object.values(entities))
    if (!entity.mentions.every(stays))
      entities[entity.id] = { ...entity, mentions: entity.mentions.filter(stays) };
  for (const relationship of Object.values(relationships))
    if (!relationship.evidence.every(stays))
      relationships[relationship.id] = { ...relationship, evidence: relationship.evidence.filter(stays) };
  for (const episodeId of gone) {
    delete read[episodeId];
    delete deferrals[episodeId];
  }
}

function change(
  entities: Record<string, Entity>,
  id: string,
  changes: (entity: Entity) => Partial<Entity>,
): void {
  const entity = entities[id];
  if (entity) entities[id] = { ...entity, ...changes(entity) };
}
