import { z } from 'zod';
import { turnOrigins } from '../../vocabulary.ts';

/** What is told of a turn beside its text. */
export const turnMetadata = z.object({
  finish: z
    .string()
    .optional()
    .describe('Why the model stopped speaking: `stop`, `tool-calls`, `length`, `refused` or `other`'),
  stepCount: z.int().describe('Reasoning steps, those that call tools included'),
  toolCallCount: z.int(),
  durationMs: z.int(),
  turnId: z.string(),
  sessionId: z.string().optional(),
  intent: z.string().nullable(),
  slot: z.string(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  fallback: z.boolean().describe('Another model than the first of the slot answered'),
  recalled: z.array(z.string()).readonly().describe('Ids of what memory put in'),
  toolTokens: z.int().describe('Tokens that the list of tools took'),
  usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }),
});

export const chatResponse = z.object({
  text: z.string(),
  sessionId: z.string().optional(),
  platform: z.string(),
  metadata: turnMetadata,
});

export const historyMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  timestamp: z.int(),
  origin: z
    .enum(turnOrigins)
    .exactOptional()
    .describe(
      'Of role `user`: whose words they are; only those of the origin `user` tell of the user. ' +
        'Of role `assistant`: what had it said, where nothing was said to it, as of a reminder',
    ),
  source: z.string().exactOptional().describe('What asked: a task, or a workflow and its step'),
});

/** What a listener is told of a turn; `done` comes last. */
export const turnMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('content'), content: z.string() }),
  z.object({ type: z.literal('thinking'), content: z.string() }),
  z.object({
    type: z.literal('tool_start'),
    name: z.string(),
    id: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal('tool_result'),
    id: z.string(),
    result: z.string(),
    error: z.boolean(),
    durationMs: z.number(),
  }),
  z.object({ type: z.literal('step'), stepNumber: z.int() }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
  z.object({ type: z.literal('done'), metadata: turnMetadata }),
]);
