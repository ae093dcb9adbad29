import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { TurnRequest } from '../../application/chat/request.ts';
import { metadataOf, type NumberedSignal } from '../../application/chat/signals.ts';
import type { TurnHandle, Turns } from '../../application/chat/turns.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { replyIn } from '../../projections/chat/conversation.ts';
import type { Exchange } from '../../projections/chat/exchange.ts';
import {
  type AnyOperation,
  type Caller,
  defineOperation,
  defineStream,
  id,
  type Listening,
  type StreamMessage,
} from '../operation.ts';
import {
  chatFile,
  chatResponse,
  chatText,
  readImages,
  refusalOf,
  storable,
  turnMessage,
  turnMetadata,
  unfit,
  unkept,
} from './chatShapes.ts';

const area = 'chat';
const chatRequest = lazily(() =>
  z
    .object({
      text: chatText(),
      sessionId: id().optional().describe('Continues a conversation; without it the turn has no history'),
      platform: z.string().min(1).max(64).transform(storable).default('web'),
      files: z.array(chatFile()).max(16).default([]).describe('Images: PNG, JPEG, GIF or WebP'),
      replaces: id()
        .optional()
        .describe(
          'A turn of this conversation in whose place the message stands: that turn and all that followed on it are ' +
            'set aside, and the model is told nothing of them. Needs `sessionId`',
        ),
    })
    .refine(({ replaces, sessionId }) => replaces === undefined || sessionId !== undefined, {
      path: ['replaces'],
      message: 'needs sessionId',
    }),
);

const turnId = lazily(() => z.object({ turnId: id() }));

interface ChatDependencies {
  readonly turns: Pick<Turns, 'begin' | 'find' | 'cancel'>;
  /** Whether any model that chats are routed to by default takes images. */
  readonly seesImages: () => Promise<boolean>;
}

export function chatOperations({ turns, seesImages }: ChatDependencies): readonly AnyOperation[] {
  const begin = async (input: z.output<ReturnType<typeof chatRequest>>, caller: Caller) => {
    const request = requestOf(input, caller);
    // Said at once, as an answer of its own: a turn that had begun could only fail.
    if (request.images.length > 0 && !(await seesImages())) throw new HarkError('IMAGES_NOT_SEEN');
    return turns.begin(request, caller.signal);
  };
  return [
    defineOperation({
      name: 'chat.send',
      area,
      device: 'always',
      summary: 'Sends a message and waits for the reply',
      description:
        'The turn goes on when the caller disconnects; the reply is then in the history. With ' +
        '`Idempotency-Key`, saying the same again gives the reply of the first time. With `replaces`, an edited ' +
        'question, or the same again, stands in place of an earlier one, which can be taken up again with ' +
        '`PUT /api/chat/sessions/{sessionId}/branch`; 409 while a turn runs in the session.',
      rest: { method: 'POST', path: '/api/chat' },
      input: chatRequest,
      output: chatResponse,
      errors: [
        'CHAT_FAILED',
        'MODEL_UNAVAILABLE',
        'BILLING_EXHAUSTED',
        'IMAGES_NOT_SEEN',
        ...unfit,
        ...unkept,
      ],
      example: { input: { text: 'What can you do for me?', sessionId: 'evening' } },
      async run(input, caller) {
        const { ended } = await begin(input, caller);
        const { text, metadata } = repliedIn(await ended, 'CHAT_FAILED');
        const { sessionId, platform } = input;
        return { text, ...(sessionId === undefined ? {} : { sessionId }), platform, metadata };
      },
    }),
    defineStream({
      name: 'chat.stream',
      area,
      device: 'always',
      summary: 'Sends a message and streams the turn',
      description:
        'The header `X-Turn-Id` names the turn. A stream that breaks off can be resumed with `GET /api/chat/stream/{turnId}`.',
      rest: { method: 'POST', path: '/api/chat/stream' },
      input: chatRequest,
      message: turnMessage,
      errors: ['CHAT_FAILED', 'IMAGES_NOT_SEEN', ...unfit, ...unkept],
      example: { input: { text: 'What can you do for me?', sessionId: 'evening' } },
      run: async (input, caller) => listenTo(await begin(input, caller), undefined, caller.signal),
    }),
    defineStream({
      name: 'chat.follow',
      area,
      device: 'always',
      summary: 'Streams a turn that runs or is over, from any message on',
      description:
        '`Last-Event-ID` names the last message that was read; without it the stream starts at the beginning of the turn.',
      rest: {
        method: 'GET',
        path: '/api/chat/stream/:turnId',
        headers: { 'Last-Event-ID': 'Id of the last message that was read' },
      },
      input: turnId,
      message: turnMessage,
      errors: ['TURN_UNKNOWN'],
      example: { input: { turnId: 'unknown' } },
      async run(input, { userId, lastEventId, signal }) {
        const handle = await turns.find(userId, input.turnId, signal);
        if (!handle) throw new HarkError('TURN_UNKNOWN', { body: input });
        return listenTo(handle, lastEventId, signal);
      },
    }),
    defineOperation({
      name: 'chat.cancel',
      area,
      device: 'always',
      summary: 'Cancels a turn and its call to the model',
      description: '`cancelled` is false when the turn was over already.',
      rest: { method: 'DELETE', path: '/api/chat/stream/:turnId' },
      input: turnId,
      output: () => z.object({ cancelled: z.boolean(), turnId: z.string() }),
      errors: ['TURN_UNKNOWN'],
      example: { input: { turnId: 'unknown' } },
      run: async (input, caller) => ({ cancelled: await turns.cancel(caller, input.turnId), ...input }),
    }),
    defineOperation({
      name: 'chat.task',
      area,
      device: 'always',
      summary: 'Runs a task in a turn without a session',
      rest: { method: 'POST', path: '/api/tasks' },
      input: () => z.object({ topic: chatText() }),
      output: () => z.object({ taskId: z.string(), text: z.string(), metadata: turnMetadata() }),
      errors: ['TASK_FAILED', 'MODEL_UNAVAILABLE', 'BILLING_EXHAUSTED', ...unkept],
      example: { input: { topic: 'Three names for a cat' } },
      async run({ topic: text }, caller) {
        const message = chatRequest().parse({ text, platform: 'task' });
        const { turnId: taskId, ended } = await begin(message, caller);
        return { taskId, ...repliedIn(await ended, 'TASK_FAILED', { taskId }) };
      },
    }),
  ];
}

function requestOf(
  { text, sessionId, platform, files, replaces }: z.output<ReturnType<typeof chatRequest>>,
  { userId, correlationId, commandId, device }: Caller,
): TurnRequest {
  const asked = {
    text,
    sessionId: sessionId ?? null,
    platform,
    origin: 'user' as const,
    images: readImages(files),
    replaces,
  };
  // Whoever says the same again under the same key means the same turn.
  const turnId = commandId && createHash('sha256').update(commandId).digest('hex').slice(0, 32);
  return { ...asked, userId, correlationId, deviceId: device?.deviceId, ...(turnId ? { turnId } : {}) };
}

function repliedIn(
  exchange: Exchange,
  failure: 'CHAT_FAILED' | 'TASK_FAILED',
  body: Readonly<Record<string, unknown>> = {},
) {
  const { end } = exchange;
  if (end?.as !== 'replied') throw refusalOf(end, failure, body);
  return { text: replyIn(exchange), metadata: metadataOf(exchange, end) };
}

function listenTo(
  { turnId: id, transcript }: TurnHandle,
  after: string | undefined,
  signal: AbortSignal,
): Listening {
  // Not a generator, which would cost several times as much as what it hands on.
  const messages = () => {
    const reader = transcript.read(after, signal);
    return {
      next: () => reader.next().then(toMessages),
      return: () => reader.return().then(toMessages),
    };
  };
  return { headers: { 'x-turn-id': id }, isBounded: true, [Symbol.asyncIterator]: messages };
}

type Told = IteratorResult<readonly NumberedSignal[], undefined>;

function toMessages({ done, value }: Told): IteratorResult<readonly StreamMessage[], undefined> {
  if (done) return { done, value: undefined };
  return { done: false, value: value.map(({ id, signal: data }) => ({ id, data })) };
}
