import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import { id } from '../operation.ts';
import { message } from './messageShapes.ts';

/** Clients send fields that they leave alone as null. */
export function orNull<Type extends z.ZodType>(type: Type) {
  return type.nullish().transform((value) => value ?? undefined);
}

/** Who asks for this counts on it, so it is refused and not passed over. */
export function notSupported(...harmless: readonly unknown[]) {
  const isHarmless = (value: unknown) => {
    const isEmpty = Array.isArray(value) && value.length === 0;
    return value === undefined || value === null || isEmpty || harmless.includes(value);
  };
  return z.unknown().refine(isHarmless, 'Not supported').optional().describe('Not supported');
}

export const wireName = lazily(() => z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/));
export const jsonSchema = lazily(() => z.record(z.string(), z.unknown()));

const tool = lazily(() =>
  z.object({
    type: z.literal('function'),
    function: z.object({
      name: wireName(),
      description: orNull(z.string()),
      parameters: orNull(jsonSchema()).describe('JSON Schema of an object'),
    }),
  }),
);

const responseFormat = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text') }),
    z
      .object({ type: z.literal('json_object') })
      .describe('The model is asked for JSON; the answer is not checked'),
    z.object({
      type: z.literal('json_schema'),
      json_schema: z.object({ name: wireName(), schema: jsonSchema() }),
    }),
  ]),
);

const byName = lazily(() =>
  z.object({ type: z.literal('function'), function: z.object({ name: wireName() }) }),
);
export const whetherToCall = lazily(() => z.enum(['auto', 'required']));
const toolChoice = lazily(() =>
  z.union([
    z.enum(['auto', 'none', 'required']),
    byName(),
    z.object({
      type: z.literal('allowed_tools'),
      allowed_tools: z.object({ mode: whetherToCall(), tools: z.array(byName()).min(1).max(128) }),
    }),
  ]),
);

const stopWord = lazily(() => z.string().min(1).max(256));
const stopWords = lazily(() => z.union([stopWord().transform((word) => [word]), z.array(stopWord()).max(4)]));

export const mostTokens = lazily(() => z.int().min(1).max(1_000_000));

export const completionRequest = lazily(() =>
  z.object({
    model: z.string().max(200).describe('`hark`, or the name of a chat slot; see `GET /v1/models`'),
    messages: z
      .array(message())
      .min(1)
      .max(2_048)
      .describe('The whole conversation. It must hold a user message, and a result for each call of a tool'),
    stream: orNull(z.boolean()),
    stream_options: orNull(z.object({ include_usage: orNull(z.boolean()) })),
    max_completion_tokens: orNull(mostTokens()),
    max_tokens: orNull(mostTokens()).describe('The older name of `max_completion_tokens`'),
    temperature: orNull(z.number().min(0).max(2)).describe('Not sent to models that do not accept it'),
    response_format: orNull(responseFormat()),
    tools: orNull(z.array(tool()).max(128)).describe(
      'Shown to the model in place of those of hark. The client runs them: a call ends the answer with `finish_reason: tool_calls`',
    ),
    tool_choice: orNull(toolChoice()).describe(
      '`required`, or a tool by its name, makes the model call one of `tools`; `allowed_tools` leaves out the others; ' +
        'with `none` it calls nothing, not even tools of hark',
    ),
    parallel_tool_calls: orNull(z.boolean()).describe('With false, an answer calls one tool at most'),
    user: orNull(id()).describe('The user, as `X-User-Id`; if both are given they must agree'),
    n: notSupported(1),
    stop: orNull(stopWords()).describe(
      'The reply ends before the first of these. Ignored with a `json_schema`',
    ),
    store: orNull(z.boolean()).describe(
      'With false, nothing of the turn is remembered, and its words are erased from the log when it ends',
    ),
    logprobs: notSupported(false),
    modalities: z.array(z.literal('text')).nullish().describe('Nothing but text is supported'),
    audio: notSupported(),
    functions: notSupported().describe('Not supported; use `tools`'),
    function_call: notSupported('none', 'auto'),
  }),
);

export type CompletionBody = z.output<ReturnType<typeof completionRequest>>;
