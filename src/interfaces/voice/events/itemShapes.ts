import { z } from 'zod';

/* Items of a conversation as clients bring them. */

const MOST_TEXT = 100_000;
/** As base64. */
const MOST_IMAGE = 1_000_000;
const MOST_PARTS = 64;
const MOST_ARGUMENTS = 500_000;

export const itemId = z.string().regex(/^[\w.:-]{1,128}$/, 'must be 1 to 128 letters, digits, _, -, . or :');
const words = z.string().max(MOST_TEXT);

const textPart = z.object({ type: z.enum(['input_text', 'output_text', 'text']), text: words });

const audioPart = z.object({
  type: z.enum(['input_audio', 'output_audio', 'audio']),
  transcript: words.nullish(),
});

const imagePart = z.object({
  type: z.literal('input_image'),
  image_url: z
    .string()
    .max(MOST_IMAGE)
    .regex(/^data:image\/[a-z0-9.+-]+;base64,/i, 'must be a data URI of a picture, as base64'),
});

const content = z.array(z.discriminatedUnion('type', [textPart, audioPart, imagePart])).max(MOST_PARTS);

const message = z.object({
  id: itemId.nullish(),
  type: z.literal('message'),
  role: z.enum(['user', 'assistant', 'system']),
  content,
});

const functionCall = z.object({
  id: itemId.nullish(),
  type: z.literal('function_call'),
  call_id: itemId.nullish(),
  name: z.string().min(1).max(64),
  arguments: z.string().max(MOST_ARGUMENTS),
});

const functionCallOutput = z.object({
  id: itemId.nullish(),
  type: z.literal('function_call_output'),
  call_id: itemId,
  output: z.string().max(MOST_ARGUMENTS),
});

export const itemShape = z.discriminatedUnion('type', [message, functionCall, functionCallOutput]);

export type GivenItem = z.output<typeof itemShape>;
export type GivenPart = z.output<typeof message>['content'][number];
