import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import { id } from '../operation.ts';
import { cleanText } from './messageShapes.ts';
import { jsonSchema, mostTokens, notSupported, orNull, whetherToCall, wireName } from './requestShapes.ts';

/*
 * What clients of the Responses API ask. As with completions, fields that hark makes nothing of are passed over, and
 * what a client would count on is refused.
 */

const inputText = lazily(() => z.object({ type: z.literal('input_text'), text: cleanText() }));
const outputText = lazily(() => z.object({ type: z.literal('output_text'), text: cleanText() }));
const refusal = lazily(() => z.object({ type: z.literal('refusal'), refusal: cleanText() }));
const inputImage = lazily(() =>
  z.object({
    type: z.literal('input_image'),
    image_url: z
      .string()
      .describe('A data URL of a PNG, JPEG, GIF or WebP image. Nothing is fetched from elsewhere'),
  }),
);

const messageItem = lazily(() =>
  z.object({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: z.union([
      cleanText(),
      z.array(z.discriminatedUnion('type', [inputText(), inputImage(), outputText(), refusal()])).min(1),
    ]),
  }),
);

const callItem = lazily(() =>
  z.object({
    type: z.literal('function_call'),
    call_id: z.string().min(1).max(256),
    name: z.string().min(1).max(256),
    arguments: z.string(),
  }),
);

const outputItem = lazily(() =>
  z.object({
    type: z.literal('function_call_output'),
    call_id: z.string().min(1).max(256),
    output: z.union([cleanText(), z.array(z.discriminatedUnion('type', [inputText(), outputText()]))]),
  }),
);

const thoughtItem = lazily(() =>
  z.object({ type: z.literal('reasoning') }).describe('Ignored: thoughts are known from their response'),
);

const reference = lazily(() =>
  z
    .object({ type: z.literal('item_reference'), id: z.string().min(1).max(256) })
    .describe('An item of the output of a response that is kept'),
);

export const inputItem = lazily(() =>
  z.discriminatedUnion('type', [messageItem(), callItem(), outputItem(), thoughtItem(), reference()]),
);
export type InputItem = z.output<ReturnType<typeof inputItem>>;
export type MessageItem = z.output<ReturnType<typeof messageItem>>;
export type Reference = z.output<ReturnType<typeof reference>>;

const tool = lazily(() =>
  z.object({
    type: z.literal('function'),
    name: wireName(),
    description: orNull(z.string()),
    parameters: orNull(jsonSchema()).describe('JSON Schema of an object'),
  }),
);

const byName = lazily(() => z.object({ type: z.literal('function'), name: wireName() }));

const format = lazily(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text') }),
    z
      .object({ type: z.literal('json_object') })
      .describe('The model is asked for JSON; the answer is not checked'),
    z.object({ type: z.literal('json_schema'), name: wireName(), schema: jsonSchema() }),
  ]),
);

const metadata = lazily(() =>
  z
    .record(z.string().max(64), z.string().max(512))
    .refine((given) => Object.keys(given).length <= 16, 'has at most 16 entries'),
);

export const responseRequest = lazily(() =>
  z.object({
    model: z.string().max(200).describe('`hark`, or the name of a chat slot; see `GET /v1/models`'),
    input: z
      .union([cleanText(), z.array(inputItem()).max(2_048)])
      .describe('What is new since `previous_response_id`, or the whole conversation where there is none'),
    instructions: orNull(cleanText()).describe('In place of who hark says it is, for this response alone'),
    previous_response_id: orNull(z.string().max(200)).describe('A response of the same user that is kept'),
    stream: orNull(z.boolean()),
    store: orNull(z.boolean()).describe(
      'With false, nothing of it is remembered, its words are erased from the log when it ends, and nothing can go on from it',
    ),
    max_output_tokens: orNull(mostTokens()),
    temperature: orNull(z.number().min(0).max(2)).describe('Not sent to models that do not accept it'),
    text: orNull(z.object({ format: orNull(format()) })),
    tools: orNull(z.array(tool()).max(128)).describe(
      'Shown to the model in place of those of hark. The client runs them, and gives what came of it as the next `input`',
    ),
    tool_choice: orNull(
      z.union([
        z.enum(['auto', 'none', 'required']),
        byName(),
        z.object({
          type: z.literal('allowed_tools'),
          mode: whetherToCall(),
          tools: z.array(byName()).min(1).max(128),
        }),
      ]),
    ),
    parallel_tool_calls: orNull(z.boolean()).describe('With false, an answer calls one tool at most'),
    metadata: orNull(metadata()),
    user: orNull(id()).describe('The user, as `X-User-Id`; if both are given they must agree'),
    background: notSupported(false),
    conversation: notSupported().describe('Not supported; use `previous_response_id`'),
    prompt: notSupported(),
  }),
);
export type ResponseBody = z.output<ReturnType<typeof responseRequest>>;
