import { z } from 'zod';
import { conclusionTypes, episodeTypes, providerIds } from '../vocabulary.ts';
import { conversationSubject } from './chat.ts';
import { defineEvent, type EventOf, factOf, type NewEvent, personal } from './definition.ts';
import {
  conclusionDecayed,
  conclusionFlagged,
  conclusionMerged,
  conclusionPruned,
  contradictionDetected,
  contradictionsSought,
  episodeFlagged,
  maintenanceCompleted,
  maintenanceEvents,
  maintenanceFailed,
  maintenanceStarted,
} from './maintenance.ts';

/*
 * What is remembered of a user. An episode is what a conversation came to, a conclusion is what is believed about
 * the user because of episodes. Both name what they come from; the words themselves stay where they were said.
 *
 *   conversation ─► episode.created ─► conclusion.drawn ─► strengthened…, decayed… ─► superseded | merged | pruned
 *                        │                                                                  (restored ◄──────┘)
 *                        └► episodes.erased | episodes.expired             and at any time ─► conclusions.erased
 */

const episodeId = z.string();
const conclusionId = z.string();

export const ofEpisode = ({ episodeId }: { episodeId: string }) => `episode-${episodeId}`;
const ofConclusion = ({ conclusionId }: { conclusionId: string }) => `conclusion-${conclusionId}`;

const turn = z.object({
  role: z.enum(['user', 'assistant']),
  /** Who spoke, where the conversation was not with hark. */
  name: z.string().nullable(),
  text: z.string(),
  at: z.number(),
});
export type ImportedTurn = z.output<typeof turn>;

/** A conversation from elsewhere, as it was. Its episode follows in the same append. */
export const conversationImported = defineEvent('memory.conversation.imported', {
  data: z.object({ episodeId, sessionId: z.string(), turns: personal(z.array(turn).readonly()) }),
  subject: ofEpisode,
});

export const episodeCreated = defineEvent('memory.episode.created', {
  data: z.object({
    episodeId,
    type: z.enum(episodeTypes),
    sessionId: z.string().nullable(),
    /** Where its words are, in the user's own log; null for what came from elsewhere. */
    conversationId: z.string().nullable(),
    /** Of a single turn; null when it is of the whole conversation. */
    turnId: z.string().nullable(),
    summary: personal(z.string()),
    topic: personal(z.string()),
    keywords: personal(z.array(z.string()).readonly()),
    /** From 0 to 10. */
    importance: z.number(),
    reasons: z.array(z.string()).readonly(),
    /** When that was of which it tells. */
    happenedAt: z.number(),
    expiresAt: z.number(),
    /** `model`, or `offline` when none was asked. */
    by: z.enum(['model', 'offline']),
    /** Given where it was created elsewhere, long before it came here. */
    createdAt: z.number().exactOptional(),
    flagged: z.boolean().exactOptional(),
  }),
  subject: ofEpisode,
});

/**
 * What an episode says, as numbers of one model: another model gets events of its own. Of a text its vector tells
 * much, so that it goes with it.
 */
export const vectorsMade = defineEvent('memory.vectors.made', {
  data: z.object({
    episodeId,
    provider: z.enum(providerIds),
    model: z.string(),
    /** Of its documents, in the order of the vectors. */
    ids: z.array(z.string()).readonly(),
    dimensions: z.int(),
    /** One after the other, each number in 32 bits, as base64. */
    vectors: personal(z.string()),
  }),
  subject: ofEpisode,
});

/** With the conversation, where its words go too: nothing that is left tells of them. */
const gone = z.array(z.object({ episodeId, conversationId: z.string().nullable() })).readonly();

function subjectsOf({ episodes }: { episodes: z.output<typeof gone> }): readonly string[] {
  return episodes.flatMap((episode) => [
    ofEpisode(episode),
    ...(episode.conversationId === null ? [] : [conversationSubject(episode.conversationId)]),
  ]);
}

/** Somebody asked for it: what was concluded from nothing else goes with them, in an event of its own. */
export const episodesErased = defineEvent('memory.episodes.erased', {
  data: z.object({ episodes: gone }),
  forgets: subjectsOf,
});

/** Their time was over; what was concluded from them stays. */
export const episodesExpired = defineEvent('memory.episodes.expired', {
  data: z.object({
    episodes: gone,
    /** When the next one's time is over; null when there is none. */
    next: z.number().nullable(),
  }),
  forgets: subjectsOf,
});

/** No episode tells of them, and their time was over as well. */
export const conversationsExpired = defineEvent('memory.conversations.expired', {
  data: z.object({
    conversationIds: z.array(z.string()).readonly(),
    /** Of those that episodes still tell of, which nobody will make memory of any more: their words go with the last. */
    settled: z.array(z.string()).readonly().exactOptional(),
    /** Of what ended up to this position, all has been looked through. */
    upTo: z.number(),
    /** When the first thing after that ended, as far as it had by then; null when there was none. */
    next: z.number().nullable(),
  }),
  forgets: ({ conversationIds }) => conversationIds.map(conversationSubject),
});

const evidence = z.object({
  sources: z.array(z.string()).readonly(),
  turnIds: z.array(z.string()).readonly(),
  lastEvidenceAt: z.number(),
});

const standing = z.object({
  createdAt: z.number(),
  updatedAt: z.number(),
  lastEvidenceAt: z.number(),
  stale: z.boolean(),
  /** `merged` also where a later word took its place. */
  status: z.enum(['active', 'pruned', 'merged']),
  supersededBy: conclusionId.nullable(),
  contradicts: z.array(conclusionId).readonly(),
  /** What sweeps and those who took them back left of it. */
  tended: z
    .object({
      restorableUntil: z.number().exactOptional(),
      restoredAt: z.number().exactOptional(),
      /** What it had itself, of one that took the evidence of others. */
      own: evidence.exactOptional(),
      /** `supersededBy` took its evidence, and gives it back when this one is restored. */
      isAbsorbed: z.literal(true).exactOptional(),
    })
    .exactOptional(),
});
export type Standing = z.output<typeof standing>;

export const conclusionDrawn = defineEvent('memory.conclusion.drawn', {
  data: z.object({
    conclusionId,
    text: personal(z.string()),
    type: z.enum(conclusionTypes),
    confidence: z.number(),
    /** Episodes that it was drawn from; none when the user said it to us directly. */
    sources: z.array(z.string()).readonly(),
    /** Turns whose words say it. */
    turnIds: z.array(z.string()).readonly(),
    /** What it is about, so that a later word on the same takes its place: `home.city`. */
    about: personal(z.string()),
    by: z.enum(['user', 'model', 'offline', 'import']),
    /** Where it was taken apart: what is so, or with `negated` what is not, or no longer, so. */
    value: personal(z.string()).exactOptional(),
    negated: z.boolean().exactOptional(),
    /** When it was said, where that was long before. */
    saidAt: z.number().exactOptional(),
    /** Given where it comes from another memory: how it stood there. */
    standing: standing.exactOptional(),
  }),
  subject: ofConclusion,
});

/** What a conclusion says, as numbers of one model. They go with it, as its words do. */
export const conclusionEmbedded = defineEvent('memory.conclusion.embedded', {
  data: z.object({
    conclusionId,
    provider: z.enum(providerIds),
    model: z.string(),
    /** Each number in 32 bits, as base64. */
    vector: personal(z.string()),
  }),
  subject: ofConclusion,
});

/** Found again, independently of what it came from. */
const conclusionStrengthened = defineEvent('memory.conclusion.strengthened', {
  data: z.object({
    conclusionId,
    confidence: z.number(),
    sources: z.array(z.string()).readonly(),
    turnIds: z.array(z.string()).readonly(),
    saidAt: z.number().exactOptional(),
  }),
});

/** Another one took its place; it stays visible as what was believed before. */
const conclusionSuperseded = defineEvent('memory.conclusion.superseded', {
  data: z.object({ conclusionId, supersededBy: conclusionId }),
});

const conclusionsErased = defineEvent('memory.conclusions.erased', {
  data: z.object({
    conclusionIds: z.array(conclusionId).readonly(),
    because: z.enum(['asked', 'source-erased', 'expired']),
  }),
  forgets: ({ conclusionIds }) => conclusionIds.map((id) => ofConclusion({ conclusionId: id })),
});

const conclusionRestored = defineEvent('memory.conclusion.restored', {
  data: z.object({ conclusionId }),
});

/** What a session came to has been settled, once, whatever that was. */
export const conversationConsolidated = defineEvent('memory.conversation.consolidated', {
  data: z.object({
    conversationId: z.string(),
    sessionId: z.string(),
    episodeId: episodeId.nullable(),
    skipped: z.enum(['trivial', 'opted-out', 'erased']).nullable(),
  }),
});

export const consolidationDeferred = defineEvent('memory.consolidation.deferred', {
  data: z.object({ conversationId: z.string(), attempt: z.number(), reason: z.string() }),
});

const profile = z.object({
  name: z.string().exactOptional(),
  communicationStyle: z.string().exactOptional(),
  patterns: z.array(z.string()).readonly().exactOptional(),
  preferences: z.record(z.string(), z.string()).exactOptional(),
});
export type Profile = z.output<typeof profile>;

/** The fields that changed, with what they are now. */
const profileChanged = defineEvent('memory.profile.changed', {
  data: z.object({ profile: personal(profile) }),
  subject: () => 'profile',
});

/** All of the user's memory, and with it every key: nothing that was personal can be read any more. */
export const memoryErased = defineEvent('memory.erased', {
  data: z.object({}),
  forgets: () => ['*'],
});

export const memoryEvents = [
  conversationImported,
  episodeCreated,
  vectorsMade,
  episodesErased,
  episodesExpired,
  conversationsExpired,
  conclusionDrawn,
  conclusionEmbedded,
  conclusionStrengthened,
  conclusionSuperseded,
  conclusionsErased,
  conclusionRestored,
  conversationConsolidated,
  consolidationDeferred,
  profileChanged,
  memoryErased,
  ...maintenanceEvents,
] as const;

export type MemoryEvent = EventOf<(typeof memoryEvents)[number]>;

const memoryEvent = z.discriminatedUnion('type', [
  factOf(conversationImported),
  factOf(episodeCreated),
  factOf(vectorsMade),
  factOf(episodesErased),
  factOf(episodesExpired),
  factOf(conversationsExpired),
  factOf(conclusionDrawn),
  factOf(conclusionEmbedded),
  factOf(conclusionStrengthened),
  factOf(conclusionSuperseded),
  factOf(conclusionsErased),
  factOf(conclusionRestored),
  factOf(conversationConsolidated),
  factOf(consolidationDeferred),
  factOf(profileChanged),
  factOf(memoryErased),
  factOf(maintenanceStarted),
  factOf(conclusionFlagged),
  factOf(conclusionDecayed),
  factOf(conclusionMerged),
  factOf(episodeFlagged),
  factOf(contradictionDetected),
  factOf(contradictionsSought),
  factOf(conclusionPruned),
  factOf(maintenanceCompleted),
  factOf(maintenanceFailed),
]);

export const memoryEventTypes: ReadonlySet<string> = new Set(memoryEvents.map(({ type }) => type));

/** An event of this area as what it is; undefined for one of another. */
export function readMemoryEvent({ type, data }: NewEvent): MemoryEvent | undefined {
  return memoryEventTypes.has(type) ? memoryEvent.parse({ type, data }) : undefined;
}
