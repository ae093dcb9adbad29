import { z } from 'zod';
import { lazily } from '../lazily.ts';
import { fallbackReasons, slotNames } from '../vocabulary.ts';
import { defineEvent, readerOf } from './definition.ts';
import { failedAttempts, ofConversation, parts, provider, step, turn, usage, usd } from './turns.ts';

/* How a turn ends, and what is told of it then. */

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
  subject: ofConversation,
});

/**
 * The model called tools that the client runs. Whether it does, and what came of it, is in the next turn that the
 * client asks for.
 */
export const turnDelegated = defineEvent('chat.turn.delegated', {
  data: () => z.object({ ...turn(), metadata: turnMetadata() }),
  subject: ofConversation,
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
  subject: ofConversation,
});

export const turnCancelled = defineEvent('chat.turn.cancelled', {
  data: () => z.object({ ...turn(), ...brokenOff() }),
  subject: ofConversation,
});

/** Its process ended before it did; what is not known is not said. */
export const turnInterrupted = defineEvent('chat.turn.interrupted', {
  data: () => z.object({ ...turn(), ...brokenOff() }),
  subject: ofConversation,
});

/** It was asked for on condition that nothing of it is kept: comes with its ending. */
export const turnForgotten = defineEvent('chat.turn.forgotten', {
  data: () => z.object(turn()),
  forgets: (data) => [ofConversation(data)],
});

export const turnEndings = [replySent, turnDelegated, turnFailed, turnCancelled, turnInterrupted] as const;

/** A turn's end, whichever it is. */
export const readTurnEnding = readerOf(turnEndings);
