import { z } from 'zod';
import { lazily } from '../../lazily.ts';

const finishReason = lazily(() => z.enum(['stop', 'length', 'tool_calls', 'content_filter']));
export type FinishReason = z.output<ReturnType<typeof finishReason>>;

const usage = lazily(() =>
  z.object({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int().describe('Of all steps of the turn, those that ran tools of hark included'),
  }),
);

const toolCall = lazily(() =>
  z.object({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string() }),
  }),
);

const head = lazily(() => ({ id: z.string(), created: z.int(), model: z.string() }));

export const completion = lazily(() =>
  z.object({
    ...head(),
    object: z.literal('chat.completion'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.null(),
          reasoning_content: z.string().optional().describe('What the model thought, where it says'),
          tool_calls: z.array(toolCall()).optional(),
        }),
        logprobs: z.null(),
        finish_reason: finishReason(),
      }),
    ),
    usage: usage(),
  }),
);
export type Completion = z.output<ReturnType<typeof completion>>;

const delta = lazily(() =>
  z.object({
    role: z.literal('assistant').optional(),
    content: z.string().optional(),
    reasoning_content: z.string().optional(),
    tool_calls: z.array(toolCall().extend({ index: z.int() })).optional(),
  }),
);
export type Delta = z.output<ReturnType<typeof delta>>;

export const completionChunk = lazily(() =>
  z.object({
    ...head(),
    object: z.literal('chat.completion.chunk'),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: delta(),
        logprobs: z.null(),
        finish_reason: finishReason().nullable(),
      }),
    ),
    usage: usage().nullable().optional().describe('With `stream_options.include_usage`, in a last chunk'),
  }),
);
export type CompletionChunk = z.output<ReturnType<typeof completionChunk>>;

export const listedModel = lazily(() =>
  z.object({
    id: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
  }),
);
