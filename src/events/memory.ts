import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { providerIds } from '../vocabulary.ts';
import {
  conclusionContradicted,
  conclusionDrawn,
  conclusionEmbedded,
  conclusionRestored,
  conclusionStrengthened,
  conclusionSuperseded,
  conclusionsDismissed,
  conclusionsErased,
  contradictionImported,
  contradictionSettled,
} from './conclusions.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';
import {
  conversationImported,
  conversationsExpired,
  episodeCreated,
  episodeId,
  episodesErased,
  episodesExpired,
  transcriptErased,
  vectorsMade,
} from './episodes.ts';
import { maintenanceEvents } from './maintenance.ts';

/*
 * What is remembered of a user. An episode is what a conversation came to, a conclusion is what is believed about
 * the user because of episodes. Both name what they come from; the words themselves stay where they were said.
 *
 *   conversation ─► episode.created ─► conclusion.drawn ─► strengthened…, decayed… ─► superseded | merged | pruned
 *                        │                                                                  (restored ◄──────┘)
 *                        └► episodes.erased | episodes.expired             and at any time ─► conclusions.erased
 */

/** Somebody wants to have consolidated what has been said in a session that goes on. */
export const consolidationAsked = defineEvent('memory.consolidation.asked', {
  data: () => z.object({ conversationId: z.string(), sessionId: z.string() }),
});

/** What a session came to has been settled, once, whatever that was. */
export const conversationConsolidated = defineEvent('memory.conversation.consolidated', {
  data: () =>
    z.object({
      conversationId: z.string(),
      sessionId: z.string(),
      episodeId: episodeId().nullable(),
      skipped: z.enum(['trivial', 'opted-out', 'erased', 'repeated', 'settled-before']).nullable(),
      /** Given where the conversation goes on: the last turn of what is settled. */
      upTo: z.string().exactOptional(),
      /** Turns up to there that were set aside: nothing was made of them yet. */
      aside: z.array(z.string()).readonly().exactOptional(),
    }),
});

export const consolidationDeferred = defineEvent('memory.consolidation.deferred', {
  data: () => z.object({ conversationId: z.string(), attempt: z.number(), reason: z.string() }),
});

/** With what all of the profile is forgotten. */
export const PROFILE = 'profile';

const profile = lazily(() =>
  z.object({
    name: z.string().exactOptional(),
    communicationStyle: z.string().exactOptional(),
    patterns: z.array(z.string()).readonly().exactOptional(),
    preferences: z.record(z.string(), z.string()).exactOptional(),
  }),
);
export type Profile = z.output<ReturnType<typeof profile>>;

/** The fields that changed, with what they are now. */
export const profileChanged = defineEvent('memory.profile.changed', {
  data: () => z.object({ profile: personal(profile()) }),
  subject: () => PROFILE,
});

/** What the lines of the profile say, in their order, as numbers of one model. */
export const profileEmbedded = defineEvent('memory.profile.embedded', {
  data: () =>
    z.object({
      provider: z.enum(providerIds),
      model: z.string(),
      dimensions: z.int(),
      /** One after the other, each number in 32 bits, as base64. */
      vectors: personal(z.string()),
    }),
  subject: () => PROFILE,
});

/** All of the user's memory, and with it every key: nothing that was personal can be read any more. */
export const memoryErased = defineEvent('memory.erased', {
  data: () => z.object({}),
  forgets: () => ['*'],
});

export const memoryEvents = [
  conversationImported,
  episodeCreated,
  vectorsMade,
  episodesErased,
  episodesExpired,
  conversationsExpired,
  transcriptErased,
  conclusionDrawn,
  conclusionEmbedded,
  conclusionStrengthened,
  conclusionSuperseded,
  conclusionContradicted,
  conclusionsErased,
  conclusionsDismissed,
  conclusionRestored,
  contradictionSettled,
  contradictionImported,
  consolidationAsked,
  conversationConsolidated,
  consolidationDeferred,
  profileChanged,
  profileEmbedded,
  memoryErased,
  ...maintenanceEvents,
] as const;

export type MemoryEvent = EventOf<(typeof memoryEvents)[number]>;
export type MemoryDataOf<Type extends MemoryEvent['type']> = Extract<MemoryEvent, { type: Type }>['data'];

/** All of one user's, in their order: where they are in the log. */
export function memoryStream(userId: string): string {
  return `memory-${userId}`;
}

export const memoryEventTypes: ReadonlySet<string> = new Set(memoryEvents.map(({ type }) => type));

/** An event of this area as what it is; undefined for one of another. */
export const readMemoryEvent = readerOf(memoryEvents);
