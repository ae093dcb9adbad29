import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { failureKinds, imageTypes, providerIds, turnOrigins } from '../vocabulary.ts';
import { defineEvent, personal } from './definition.ts';

/*
 * A turn is what one message sets off: steps of the model, tools that it calls, and in the end a reply or a word
 * why there is none.
 *
 *   received ─► (step.taken + tool.called… ─► tool.returned…)… ─► reply.sent
 *                                                              ├► turn.failed
 *                                                              ├► turn.delegated
 *                                                              ├► turn.cancelled
 *                                                              └► turn.interrupted
 *                                                                 (turn.forgotten)
 *
 * A reply that is spoken is followed by reply.heard, as often as more of it was played: what nobody heard was not said.
 * Of a turn that was delegated, tool.returned follows when the client tells what came of its calls.
 *
 * A message may replace an earlier turn of its conversation: that one and all that followed on it are set aside, until
 * branch.chosen takes them up again. Nothing happens in a turn that was set aside but what is learned afterwards.
 *
 * What is said between the first message of a session and its end is a conversation: its text is sealed under one
 * key, so that it can be forgotten as one.
 */

export const turn = lazily(() => ({
  turnId: z.string(),
  /** Null in a turn that stands by itself. */
  sessionId: z.string().nullable(),
  conversationId: z.string(),
}));

export function conversationSubject(conversationId: string): string {
  return `conversation-${conversationId}`;
}

export const ofConversation = ({ conversationId }: { conversationId: string }) =>
  conversationSubject(conversationId);

/** Under this id a message was received, so that the same turn is not begun twice, and is found again. */
export function receivedAs(userId: string, turnId: string): string {
  return `turn:${userId}:${turnId}`;
}

const image = lazily(() => z.object({ mimeType: z.enum(imageTypes), base64: personal(z.string()) }));

export const messageReceived = defineEvent('chat.message.received', {
  data: () =>
    z.object({
      ...turn(),
      platform: z.string(),
      origin: z.enum(turnOrigins),
      /** What asked, where it was no person: the id of a task, or a workflow and its step, as in `digest/sum`. */
      source: z.string().exactOptional(),
      /** The turn of the same conversation in whose place it stands: what was said from that one on is set aside. */
      replaces: z.string().exactOptional(),
      /** Its words are forgotten when it ends. */
      transient: z.literal(true).exactOptional(),
      /** Empty where nothing was said to the assistant, as by a reminder. */
      text: personal(z.string()),
      images: z.array(image()).readonly(),
      /** The reply is spoken: it holds as much as `chat.reply.heard` says. */
      spoken: z.literal(true).exactOptional(),
      /** Of a response that a client may go on from: what it said, as it said it, and which turn that follows. */
      client: personal(
        z.object({
          model: z.string(),
          previous: z.string().nullable(),
          input: z.array(z.unknown()).readonly(),
          instructions: z.string().nullable(),
          metadata: z.record(z.string(), z.string()),
        }),
      ).exactOptional(),
      /** The process that runs the turn: when it is lost, so is the turn. */
      instanceId: z.string(),
    }),
  subject: ofConversation,
});

export const provider = lazily(() => z.enum(providerIds));
export const usage = lazily(() => z.object({ inputTokens: z.number(), outputTokens: z.number() }));

/** At the price that the catalog had then; left out where it had none. */
export const usd = lazily(() => z.number());

/** What the model said in one step, in the order in which it came. */
const part = lazily(() => z.object({ type: z.enum(['thinking', 'content']), text: personal(z.string()) }));
export const parts = lazily(() => z.array(part()).readonly());
export type SpokenPart = z.output<ReturnType<typeof part>>;

/** As its provider wants it back on later turns. */
const reasoning = lazily(() =>
  z.object({ provider: provider(), text: z.string(), blocks: z.array(z.unknown()).readonly() }),
);

/** A model was asked and did not answer: from when on in the turn, how long, and why. */
const failedAttempt = lazily(() =>
  z.object({
    provider: provider(),
    model: z.string(),
    kind: z.enum(failureKinds),
    afterMs: z.number(),
    ms: z.number(),
  }),
);
export type FailedAttempt = z.output<ReturnType<typeof failedAttempt>>;

/** In their order; not there where there were none. */
export const failedAttempts = lazily(() => z.array(failedAttempt()).readonly().exactOptional());

/** How long the model was asked; and, of the first step, how long memory was before, from when on in the turn. */
const timing = lazily(() =>
  z.object({
    ms: z.number(),
    /** Until the first part of its answer; null where there was none. */
    firstPartMs: z.number().nullable(),
    recall: z.object({ afterMs: z.number(), ms: z.number(), records: z.number() }).exactOptional(),
    failedAttempts: failedAttempts(),
  }),
);
export type StepTiming = z.output<ReturnType<typeof timing>>;

export const step = lazily(() => ({
  step: z.number(),
  /** Neither where rules answered, since no model did. */
  provider: provider().nullable(),
  model: z.string().nullable(),
  parts: parts(),
  reasoning: personal(reasoning()),
  usage: usage(),
  usd: usd().exactOptional(),
  timing: timing().exactOptional(),
}));

/** The model called tools; what it called follows in events of its own. */
export const stepTaken = defineEvent('chat.step.taken', {
  data: () => z.object({ ...turn(), ...step() }),
  subject: ofConversation,
});

export const toolCalled = defineEvent('chat.tool.called', {
  data: () =>
    z.object({
      ...turn(),
      step: z.number(),
      callId: z.string(),
      name: z.string(),
      input: personal(z.record(z.string(), z.unknown())),
      /** What the model wrote where an object of JSON was due. */
      malformed: personal(z.string()),
    }),
  subject: ofConversation,
});

export const toolReturned = defineEvent('chat.tool.returned', {
  data: () =>
    z.object({
      ...turn(),
      callId: z.string(),
      result: personal(z.string()),
      failed: z.boolean(),
      durationMs: z.number(),
      /** It is a tool of somebody else's server. */
      isForeign: z.literal(true).exactOptional(),
    }),
  subject: ofConversation,
});
