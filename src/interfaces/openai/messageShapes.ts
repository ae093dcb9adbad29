import { z } from 'zod';
import { lazily } from '../../lazily.ts';
import { storable } from '../operations/chatShapes.ts';

/*
 * The messages of a conversation as OpenAI's clients send them. Fields that hark makes nothing of are passed over,
 * as other servers of this protocol do.
 */

export const cleanText = lazily(() => z.string().transform(storable));

const textPart = lazily(() => z.object({ type: z.literal('text'), text: cleanText() }));
const refusalPart = lazily(() => z.object({ type: z.literal('refusal'), refusal: cleanText() }));
const imagePart = lazily(() =>
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({
      url: z
        .string()
        .describe('A data URL of a PNG, JPEG, GIF or WebP image. Nothing is fetched from elsewhere'),
    }),
  }),
);

const textAlone = lazily(() => z.union([cleanText(), z.array(textPart())]));

const instructions = lazily(() => z.object({ role: z.enum(['system', 'developer']), content: textAlone() }));

const userMessage = lazily(() =>
  z.object({
    role: z.literal('user'),
    content: z.union([cleanText(), z.array(z.discriminatedUnion('type', [textPart(), imagePart()])).min(1)]),
  }),
);

const toolCall = lazily(() =>
  z.object({
    id: z.string().min(1).max(256),
    type: z.literal('function').default('function'),
    function: z.object({ name: z.string().min(1).max(256), arguments: z.string() }),
  }),
);

const assistantMessage = lazily(() =>
  z.object({
    role: z.literal('assistant'),
    content: z
      .union([cleanText(), z.array(z.discriminatedUnion('type', [textPart(), refusalPart()]))])
      .nullish()
      .describe('`reasoning_content` that a client sends back is ignored'),
    tool_calls: z.array(toolCall()).max(128).nullish(),
  }),
);

const toolMessage = lazily(() =>
  z.object({
    role: z.literal('tool'),
    tool_call_id: z.string().min(1).max(256),
    content: textAlone(),
  }),
);

export const message = lazily(() =>
  z.discriminatedUnion('role', [instructions(), userMessage(), assistantMessage(), toolMessage()]),
);

export type Message = z.output<ReturnType<typeof message>>;
export type MessageOf<Role extends Message['role']> = Extract<Message, { role: Role }>;
