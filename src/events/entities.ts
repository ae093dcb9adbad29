import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { entityTypes, providerIds } from '../vocabulary.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';

/*
 * The people, places, organizations, events and things that a user's episodes name. An entity is the sum of its
 * mentions, one an episode. Each is sealed under a key of its own, so that forgetting the episode or the entity
 * takes the words along, and what other episodes said stays.
 *
 *   episode ─► entity.mentioned… ─► entity.changed, entity.merged ◄─► entity.unmerged ─► erased
 *           └► relationship.stated…                        (expired: the episode is gone, what it named stays)
 */

const entityId = lazily(() => z.string());
/** With what all that was made of relationships together is forgotten. */
export const RELATIONSHIPS = 'relationships';
/** What an episode says, and where: two of one conversation are one witness. */
const witness = lazily(() => ({ episodeId: z.string(), conversationId: z.string().nullable() }));

export const entityMentioned = defineEvent('entities.entity.mentioned', {
  data: () =>
    z.object({
      ...witness(),
      entityId: entityId(),
      type: z.enum(entityTypes),
      name: personal(z.string()),
      aliases: personal(z.array(z.string()).readonly()),
      mentions: z.number(),
      /** Turns whose words name it. */
      turnIds: z.array(z.string()).readonly(),
      /** When that was of which the episode tells. */
      seenAt: z.number(),
      by: z.enum(['model', 'offline']),
    }),
  subject: mentionSubject,
});

/** What the user said of it; what is not given stays. */
export const entityChanged = defineEvent('entities.entity.changed', {
  data: () =>
    z.object({
      entityId: entityId(),
      type: z.enum(entityTypes).nullable(),
      name: personal(z.string()),
      aliases: personal(z.array(z.string()).readonly()),
    }),
  subject: entitySubject,
});

/** From now on the second one counts as the first; what is known of each stays apart, so that it can be undone. */
export const entityMerged = defineEvent('entities.entity.merged', {
  data: () => z.object({ entityId: entityId(), mergedId: entityId() }),
});

export const entityUnmerged = defineEvent('entities.entity.unmerged', {
  data: () => z.object({ entityId: entityId(), mergedId: entityId() }),
});

export const relationshipStated = defineEvent('entities.relationship.stated', {
  data: () =>
    z.object({
      ...witness(),
      relationshipId: z.string(),
      /** An entity, or `user`: whoever is remembered here. */
      from: entityId(),
      to: entityId(),
      type: personal(z.string()),
      confidence: z.number(),
    }),
  subject: relationshipSubject,
});

/**
 * What relationships say, as numbers of one model. Into a sentence goes more than what one episode said, names and how
 * people belong to the user: all go together, as soon as anything is erased, and are made anew of what is left.
 */
export const relationshipsEmbedded = defineEvent('entities.relationships.embedded', {
  data: () =>
    z.object({
      provider: z.enum(providerIds),
      model: z.string(),
      relationshipIds: z.array(z.string()).readonly(),
      /** The sentences: what says something else by now is made anew. */
      texts: personal(z.array(z.string()).readonly()),
      dimensions: z.int(),
      /** One after the other, each number in 32 bits, as base64. */
      vectors: personal(z.string()),
    }),
  subject: () => RELATIONSHIPS,
});

/** Of episodes of another memory: what they name came along with them, and is not looked for again. */
const entityEpisodesRead = defineEvent('entities.episodes.read', {
  data: () => z.object({ episodeIds: z.array(z.string()).readonly() }),
});

/** What names an episode says is put off: the model that is to read it does not answer. */
const entityReadingDeferred = defineEvent('entities.reading.deferred', {
  data: () => z.object({ episodeId: z.string(), attempt: z.number() }),
});

const entityEpisodesExpired = defineEvent('entities.episodes.expired', {
  data: () => z.object({ episodeIds: z.array(z.string()).readonly() }),
});

export const entitiesErased = defineEvent('entities.erased', {
  data: () =>
    z.object({
      because: z.enum(['asked', 'source-erased', 'memory-erased']),
      entityIds: z.array(entityId()).readonly(),
      /** Those that stay, with less. */
      changedIds: z.array(entityId()).readonly(),
      relationshipIds: z.array(z.string()).readonly(),
      /** What these said is erased also where others said it too. */
      episodeIds: z.array(z.string()).readonly(),
      /** Whose keys go: those of what is erased. */
      subjects: z.array(z.string()).readonly(),
    }),
  forgets: ({ subjects }) => subjects,
});

export function entitySubject({ entityId }: { entityId: string }): string {
  return `entity-${entityId}`;
}

export function mentionSubject({ entityId, episodeId }: { entityId: string; episodeId: string }): string {
  return `entity-${entityId}-${episodeId}`;
}

export function relationshipSubject(stated: { relationshipId: string; episodeId: string }): string {
  return `relationship-${stated.relationshipId}-${stated.episodeId}`;
}

/** All of one user's. */
export function entitiesStream(userId: string): string {
  return `entities-${userId}`;
}

export const entityEvents = [
  entityMentioned,
  entityChanged,
  entityMerged,
  entityUnmerged,
  relationshipStated,
  relationshipsEmbedded,
  entityEpisodesRead,
  entityReadingDeferred,
  entityEpisodesExpired,
  entitiesErased,
] as const;

export type EntityEvent = EventOf<(typeof entityEvents)[number]>;

export const entityEventTypes: ReadonlySet<string> = new Set(entityEvents.map(({ type }) => type));

/** An event of this area as what it is; undefined for one of another. */
export const readEntityEvent = readerOf(entityEvents);
