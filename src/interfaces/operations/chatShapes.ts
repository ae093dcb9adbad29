import { z } from 'zod';
import { errorOf } from '../../application/chat/signals.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import type { ExchangeEnd } from '../../projections/chat/exchange.ts';
import { fallbackReasons, type ImageType, turnOrigins } from '../../vocabulary.ts';

/** Why a turn cannot be replaced, or taken up again. */
export const unfit = ['TURN_UNKNOWN', 'TURN_RUNNING', 'CONVERSATION_OVER'] as const;
/** There is no room for what is said, on the disk or while the log is away. */
export const unkept = ['STORAGE_FULL', 'KVSTORE_UNAVAILABLE'] as const;

/** What is told of a turn beside its text. */
export const turnMetadata = lazily(() =>
  z.object({
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
    fallback: z.boolean().describe('A fallback answered, not the first model of the slot'),
    fallbackReason: z
      .enum(fallbackReasons)
      .exactOptional()
      .describe(
        'Why: what the first model failed with, or why it was not asked; `billing` is used-up credit',
      ),
    recalled: z.array(z.string()).readonly().describe('Ids of what memory put in'),
    toolTokens: z.int().describe('Tokens that the list of tools took'),
    usage: z.object({ inputTokens: z.int(), outputTokens: z.int() }),
    usd: z
      .number()
      .exactOptional()
      .describe(
        'What it cost, at the prices that the catalogs had then; left out where one of its steps has none',
      ),
  }),
);

export const chatResponse = lazily(() =>
  z.object({
    text: z.string(),
    sessionId: z.string().optional(),
    platform: z.string(),
    metadata: turnMetadata(),
  }),
);

export const historyMessage = lazily(() =>
  z.object({
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
  }),
);

/** What a listener is told of a turn; `done` comes last. */
export const turnMessage = lazily(() =>
  z.discriminatedUnion('type', [
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
    z.object({ type: z.literal('done'), metadata: turnMetadata() }),
  ]),
);

const MOST_CHARACTERS = 10_000;

/** What cannot be kept as UTF-8 is replaced, and what no model reads is left out. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** What a user says. */
export const chatText = lazily(() =>
  z
    .string()
    .max(MOST_CHARACTERS)
    .transform(storable)
    .refine((text) => text.trim() !== '', 'must not be empty')
    .describe(`At most ${MOST_CHARACTERS} characters`),
);

/** A file as a client sends it. What it is, its bytes say and not its label. */
export const chatFile = lazily(() =>
  z.object({
    content: z.string().describe('Base64'),
    mimeType: z.string().max(200),
    encoding: z.literal('base64').default('base64'),
  }),
);

interface ReceivedImage {
  readonly mimeType: ImageType;
  readonly base64: string;
}

export function readImages(
  files: readonly z.output<ReturnType<typeof chatFile>>[],
): readonly ReceivedImage[] {
  return files.map(({ content }, index) => {
    const image = imageIn(content);
    if (!image) throw new HarkError('VALIDATION_FAILED', { body: { issues: [issueAt(index)] } });
    return image;
  });
}

/** Undefined for what is not one of the kinds that models take. */
export function imageIn(content: string): ReceivedImage | undefined {
  const bytes = Buffer.from(content, 'base64');
  const mimeType = typeOf(bytes);
  return mimeType && isBase64(content) ? { mimeType, base64: bytes.toString('base64') } : undefined;
}

function issueAt(index: number) {
  return { path: ['files', index, 'content'], message: 'Not a PNG, JPEG, GIF or WebP image in base64' };
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text.replace(/\s/g, ''));
}

const signatures: readonly (readonly [ImageType, (bytes: Buffer) => boolean])[] = [
  ['image/png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => /^RIFF....WEBP/s.test(bytes.toString('latin1', 0, 12))],
];

function typeOf(bytes: Buffer): ImageType | undefined {
  return signatures.find(([, matches]) => matches(bytes))?.[0];
}

/** Why a turn has no reply, for who waited for one. */
export function refusalOf(
  end: ExchangeEnd | null,
  failure: 'CHAT_FAILED' | 'TASK_FAILED',
  body: Readonly<Record<string, unknown>> = {},
): HarkError {
  const message = end && errorOf(end)?.message;
  const told = { body, ...(message ? { message } : {}) };
  const isUnavailable = end?.code === 'MODEL_UNAVAILABLE' || end?.code === 'BILLING_EXHAUSTED';
  return new HarkError(isUnavailable ? end.code : failure, told);
}
