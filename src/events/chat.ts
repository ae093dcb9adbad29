import { z } from 'zod';
import { lazily } from '../lazily.ts';
import {
  failureKinds,
  fallbackReasons,
  imageTypes,
  providerIds,
  slotNames,
  turnOrigins,
} from '../vocabulary.ts';
import { defineEvent, type EventOf, personal, readerOf } from './definition.ts';

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

const turn = lazily(() => ({
  turnId: z.string(),
  /** Null in a turn that stands by itself. */
  sessionId: z.string().nullable(),
  conversationId: z.string(),
}));

const subject = ({ conversationId }: { conversationId: string }) => conversationSubject(conversationId);

export function conversationSubject(conversationId: string): string {
  return `conversation-${conversationId}`;
}

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
  subject,
});

const provider = lazily(() => z.enum(providerIds));
const usage = lazily(() => z.object({ inputTokens: z.number(), outputTokens: z.number() }));

/** At the price that the catalog had then; left out where it had none. */
const usd = lazily(() => z.number());

/** What the model said in one step, in the order in which it came. */
const part = lazily(() => z.object({ type: z.enum(['thinking', 'content']), text: personal(z.string()) }));
const parts = lazily(() => z.array(part()).readonly());
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
const failedAttempts = lazily(() => z.array(failedAttempt()).readonly().exactOptional());

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

const step = lazily(() => ({
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
  subject,
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
  subject,
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
  subject,
});

/** What is told of a turn when it is over. */
const turnMetadata = lazily(() =>
  z.object({
    /** Why the model stopped speaking in the last step. */
    finish: z.enum(['stop', 'tool-calls', 'length', 'refused', 'other']).optional(),
    stepCount: z.number(),
    toolCallCount: z.number(),
    durationMs: z.number(),
    intent: z.string().nullable(),
    slot: z.enum(slotNames),
    provider: provider().nullable(),
    model: z.string().nullable(),
    fallback: z.boolean(),
    fallbackReason: z.enum(fallbackReasons).exactOptional(),
    recalled: z.array(z.string()).readonly(),
    toolTokens: z.number(),
    usage: usage(),
    /** Of all its steps; left out where one has no price. */
    usd: usd().exactOptional(),
  }),
);
export type TurnMetadata = z.output<ReturnType<typeof turnMetadata>>;

/** Of a turn that has done nothing yet. */
export const nothingDone: TurnMetadata = {
  stepCount: 0,
  toolCallCount: 0,
  durationMs: 0,
  intent: null,
  slot: 'chat',
  provider: null,
  model: null,
  fallback: false,
  recalled: [],
  toolTokens: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
};

/** The last step of a turn that succeeded. */
export const replySent = defineEvent('chat.reply.sent', {
  data: () =>
    z.object({
      ...turn(),
      ...step(),
      /** Null of a reminder, which no model says. */
      provider: provider().nullable(),
      model: z.string().nullable(),
      metadata: turnMetadata(),
    }),
  subject,
});

/**
 * The model called tools that the client runs. Whether it does, and what came of it, is in the next turn that the
 * client asks for.
 */
export const turnDelegated = defineEvent('chat.turn.delegated', {
  data: () => z.object({ ...turn(), metadata: turnMetadata() }),
  subject,
});

/** Those of the streamed `error` event, and one that is told as `INTERNAL` there. */
export const turnErrorCodes = [
  'MODEL_UNAVAILABLE',
  'REQUEST_REFUSED',
  'MODEL_TIMEOUT',
  'BILLING_EXHAUSTED',
  'MAX_STEPS',
  'INTERRUPTED',
  'INTERNAL',
] as const;

/** What had been said when it ended; nothing in a turn that had not begun. */
const brokenOff = lazily(() => ({
  step: z.number(),
  parts: parts(),
  metadata: turnMetadata(),
  failedAttempts: failedAttempts(),
}));

export const turnFailed = defineEvent('chat.turn.failed', {
  data: () => z.object({ ...turn(), ...brokenOff(), code: z.enum(turnErrorCodes) }),
  subject,
});

export const turnCancelled = defineEvent('chat.turn.cancelled', {
  data: () => z.object({ ...turn(), ...brokenOff() }),
  subject,
});

/** Its process ended before it did; what is not known is not said. */
export const turnInterrupted = defineEvent('chat.turn.interrupted', {
  data: () => z.object({ ...turn(), ...brokenOff() }),
  subject,
});

/** So much of a spoken reply was heard: of all that was said in the turn, so many characters. */
export const replyHeard = defineEvent('chat.reply.heard', {
  data: () =>
    z.object({
      ...turn(),
      characters: z.number(),
      /** No more of it will be. */
      isLast: z.boolean(),
    }),
  subject,
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
  subject,
});

/** It was asked for on condition that nothing of it is kept: comes with its ending. */
export const turnForgotten = defineEvent('chat.turn.forgotten', {
  data: () => z.object(turn()),
  forgets: (data) => [subject(data)],
});

/** From here on the model is told this in place of the turns up to the one named. */
export const historySummarized = defineEvent('chat.history.summarized', {
  data: () =>
    z.object({ ...turn(), uptoTurnId: z.string(), summary: personal(z.string()), tokens: z.number() }),
  subject,
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

export const turnEndings = [replySent, turnDelegated, turnFailed, turnCancelled, turnInterrupted] as const;

/** A turn's end, whichever it is. */
export const readTurnEnding = readerOf(turnEndings);

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
