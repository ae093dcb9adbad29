import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { captureModes, episodeTypes, providerIds } from '../vocabulary.ts';
import { defineEvent, type EventOf, isEvent, personal, readerOf } from './definition.ts';
import { conversationSubject } from './turns.ts';

/* What conversations came to, or were where they come from elsewhere, and how it goes again, with their words. */

export const episodeId = lazily(() => z.string());

export const ofEpisode = ({ episodeId }: { episodeId: string }) => `episode-${episodeId}`;

const turn = lazily(() =>
  z.object({
    /** `prompt`: said to the assistant, and not by the user. */
    role: z.enum(['user', 'assistant', 'prompt']),
    /** Who spoke, where the conversation was not with hark. */
    name: z.string().nullable(),
    text: z.string(),
    at: z.number(),
  }),
);
export type ImportedTurn = z.output<ReturnType<typeof turn>>;

/** Where words are many, they come in slices, in their order. */
const slice = lazily(() =>
  z.object({
    number: z.int(),
    of: z.int(),
    /** The number of its first turn: that of the last turn before it, where the text of that goes on. */
    from: z.int(),
    /** Of the episode; its id may have been used before, for another one. */
    happenedAt: z.number(),
    /** In all but the last: the episode, and they with it, are given up then. */
    waitsUntil: z.number().exactOptional(),
  }),
);

/** A conversation from elsewhere, as it was. Its episode follows in the same append; of slices, the last one's. */
export const conversationImported = defineEvent('memory.conversation.imported', {
  data: () =>
    z.object({
      episodeId: episodeId(),
      sessionId: z.string(),
      turns: personal(z.array(turn()).readonly()),
      slice: slice().exactOptional(),
    }),
  subject: ofEpisode,
});

/** What was captured, by whom and for what; of each segment when it came, and when it was recorded. */
const capture = lazily(() =>
  z.object({
    streamId: z.string(),
    deviceId: z.string(),
    mode: z.enum(captureModes),
    /** In the order of its words. */
    segments: z
      .array(
        z.object({ segmentId: z.string(), at: z.number(), startedAt: z.number(), durationMs: z.number() }),
      )
      .readonly(),
  }),
);

export const episodeCreated = defineEvent('memory.episode.created', {
  data: () =>
    z.object({
      episodeId: episodeId(),
      type: z.enum(episodeTypes),
      sessionId: z.string().nullable(),
      /** Where its words are, in the user's own log; null for what came from elsewhere. */
      conversationId: z.string().nullable(),
      /** Of what came from elsewhere: the conversation there, by which its episodes know each other. */
      formerConversationId: z.string().exactOptional(),
      /** What asked, where the user said nothing in it: of what one task or step asks there is one episode. */
      source: z.string().exactOptional(),
      /** Of a single turn; null when it is of the whole conversation. */
      turnId: z.string().nullable(),
      /** Given where it is of a part of the conversation: what comes after one turn (or from the beginning) up to another. */
      part: z.object({ after: z.string().nullable(), upTo: z.string().nullable() }).exactOptional(),
      /** Turns whose answer only repeated what was remembered: that is no part of it. */
      echoes: z.array(z.string()).readonly().exactOptional(),
      /** Turns in between that are no part of it: they were set aside when it was made, or it was told of them before. */
      aside: z.array(z.string()).readonly().exactOptional(),
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
      capture: capture().exactOptional(),
    }),
  subject: ofEpisode,
});

/**
 * What an episode says, as numbers of one model: another model gets events of its own. Of a text its vector tells
 * much, so that it goes with it.
 */
export const vectorsMade = defineEvent('memory.vectors.made', {
  data: () =>
    z.object({
      episodeId: episodeId(),
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
const gone = lazily(() =>
  z.array(z.object({ episodeId: episodeId(), conversationId: z.string().nullable() })).readonly(),
);

function subjectsOf({ episodes }: { episodes: z.output<ReturnType<typeof gone>> }): readonly string[] {
  return episodes.flatMap((episode) => [
    ofEpisode(episode),
    ...(episode.conversationId === null ? [] : [conversationSubject(episode.conversationId)]),
  ]);
}

/** Somebody asked for it: what was concluded from nothing else goes with them, in an event of its own. */
export const episodesErased = defineEvent('memory.episodes.erased', {
  data: () =>
    z.object({
      episodes: gone(),
      /** Of which all was to be forgotten, also where no episode told of it. */
      conversationIds: z.array(z.string()).readonly().exactOptional(),
    }),
  forgets: ({ episodes, conversationIds = [] }) => [
    ...subjectsOf({ episodes }),
    ...conversationIds.map(conversationSubject),
  ],
});

/** Their time was over; what was concluded from them stays. */
export const episodesExpired = defineEvent('memory.episodes.expired', {
  data: () =>
    z.object({
      episodes: gone(),
      /** When the next one's time is over; null when there is none. */
      next: z.number().nullable(),
    }),
  forgets: subjectsOf,
});

/** No episode tells of them, and their time was over as well. */
export const conversationsExpired = defineEvent('memory.conversations.expired', {
  data: () =>
    z.object({
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

/** The words of a conversation that is over go, and what memory made of them stays: the user wants no transcripts. */
export const transcriptErased = defineEvent('memory.transcript.erased', {
  data: () => z.object({ conversationId: z.string() }),
  forgets: ({ conversationId }) => [conversationSubject(conversationId)],
});

/** After these the words of conversations cannot be read any more. */
export const conversationErasures = [
  episodesErased,
  episodesExpired,
  conversationsExpired,
  transcriptErased,
] as const;

/** Of which conversations an event takes the words. */
export function conversationsErasedBy(
  event: EventOf<(typeof conversationErasures)[number]>,
): readonly string[] {
  switch (event.type) {
    case 'memory.conversations.expired':
      return event.data.conversationIds;
    case 'memory.transcript.erased':
      return [event.data.conversationId];
    default: {
      const { episodes } = event.data;
      const { conversationIds = [] } = isEvent(event, episodesErased) ? event.data : {};
      return [...conversationIds, ...episodes.flatMap(({ conversationId }) => conversationId ?? [])];
    }
  }
}

/** An event that takes the words of conversations as what it is; undefined for another. */
export const readConversationErasure = readerOf(conversationErasures);
