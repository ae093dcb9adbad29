import { z } from 'zod';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';
import { turnEndings, turnForgotten } from './turnEndings.ts';
import { messageReceived, ofConversation, stepTaken, toolCalled, toolReturned, turn } from './turns.ts';

/* What is said to each other: the turns, what becomes of a conversation of them, and the sessions that hold it. */

/** So much of a spoken reply was heard: of all that was said in the turn, so many characters. */
export const replyHeard = defineEvent('chat.reply.heard', {
  data: () =>
    z.object({
      ...turn(),
      characters: z.number(),
      /** No more of it will be. */
      isLast: z.boolean(),
    }),
  subject: ofConversation,
});

/** What was said lies in a file, encrypted under this key: with it the file is forgotten. */
export const audioKept = defineEvent('chat.audio.kept', {
  data: () =>
    z.object({
      sessionId: z.string(),
      conversationId: z.string(),
      audioId: z.string(),
      role: z.enum(['user', 'assistant']),
      rate: z.number(),
      samples: z.number(),
      key: personal(z.string()),
    }),
  subject: ofConversation,
});

/** From here on the model is told this in place of the turns up to the one named. */
export const historySummarized = defineEvent('chat.history.summarized', {
  data: () =>
    z.object({ ...turn(), uptoTurnId: z.string(), summary: personal(z.string()), tokens: z.number() }),
  subject: ofConversation,
});

/** From here on the conversation leads through this turn again, and on from it as it did last. */
export const branchChosen = defineEvent('chat.branch.chosen', {
  data: () => z.object({ turnId: z.string(), sessionId: z.string(), conversationId: z.string() }),
});

export const sessionEnded = defineEvent('sessionEnded', {
  data: () =>
    z.object({
      sessionId: z.string(),
      conversationId: z.string(),
      reason: z.enum(['idle', 'asked']),
      turns: z.number(),
    }),
});

export const chatEvents = [
  messageReceived,
  stepTaken,
  toolCalled,
  toolReturned,
  ...turnEndings,
  replyHeard,
  audioKept,
  turnForgotten,
  historySummarized,
  branchChosen,
  sessionEnded,
] as const;

export type ChatEvent = EventOf<(typeof chatEvents)[number]>;

/** Where a turn belongs. */
export interface TurnPlace {
  readonly sessionId: string | null;
  readonly turnId: string;
}

/**
 * A session is its user's: the same id of another user is another session. The dot, which no id has, keeps the two
 * apart. A turn without a session has a stream of its own.
 */
export function chatStream(userId: string, { sessionId, turnId }: TurnPlace): string {
  return sessionId === null ? `turn-${turnId}` : `session-${userId}.${sessionId}`;
}

export const chatEventTypes: ReadonlySet<string> = new Set(chatEvents.map(({ type }) => type));

/** An event of this area as what it is; undefined for one of another. */
export const readChatEvent = readerOf(chatEvents);
