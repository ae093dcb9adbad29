import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { TurnRequest } from '../../application/chat/request.ts';
import { metadataOf, type NumberedSignal } from '../../application/chat/signals.ts';
import type { TurnHandle, Turns } from '../../application/chat/turns.ts';
import { outOfScope } from '../../application/deviceScope.ts';
import { endSession } from '../../commands/chat/turns.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { historyOf, replyIn } from '../../projections/chat/conversation.ts';
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
  historyMessage,
  readImages,
  refusalOf,
  storable,
  turnMessage,
  turnMetadata,
} from './chatShapes.ts';

const area = 'chat';
/** Why a turn cannot be replaced, or taken up again. */
const unfit = ['TURN_UNKNOWN', 'TURN_RUNNING', 'CONVERSATION_OVER'] as const;
/** There is no room for what is said, on the disk or while the log is away. */
const unkept = ['STORAGE_FULL', 'KVSTORE_UNAVAILABLE'] as const;

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
const session = lazily(() => z.object({ sessionId: id() }));

type Asked = Pick<Caller, 'userId' | 'correlationId'>;

interface ChatDependencies {
  readonly turns: Turns;
  /** For what is decided outside of a turn. */
  readonly runner: () => CommandRunner;
  /** Ends it first, where it goes on. */
  readonly forgetSession: (session: Asked & { readonly sessionId: string }) => Promise<void>;
  /** Whether any model that chats are routed to by default takes images. */
  readonly seesImages: () => Promise<boolean>;
  /** Leaves off what is spoken in the session; true of one that is open by voice. */
  readonly leaveVoice: (userId: string, sessionId: string) => Promise<boolean>;
}

export function chatOperations(dependencies: ChatDependencies): readonly AnyOperation[] {
  const { turns, runner, forgetSession, leaveVoice, seesImages } = dependencies;
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
      name: 'chat.chooseBranch',
      area,
      device: 'always',
      summary: 'Takes up again what was said from a turn on',
      description:
        'Where a turn was replaced, `versions` of `GET /api/chat/sessions/{sessionId}/turns` names all that stand in its ' +
        'place. The conversation leads through the one that is chosen, and on from there as it did last: for the ' +
        'reader, for the model, and for what memory makes of it. 409 while a turn runs in the session, and when the ' +
        'conversation has ended.',
      rest: { method: 'PUT', path: '/api/chat/sessions/:sessionId/branch' },
      input: () => session().extend(turnId().shape),
      output: () => session().extend(turnId().shape),
      errors: [...unfit, ...unkept],
      example: { input: { sessionId: 'evening', turnId: 'unknown' } },
      async run(chosen, { userId, correlationId }) {
        await turns.choose({ userId, correlationId }, chosen);
        return chosen;
      },
    }),
    defineOperation({
      name: 'chat.history',
      area,
      device: 'always',
      summary: 'The messages of a session',
      description:
        '`sessionExpired` is true, and there are no messages, when the session ended or never existed.',
      rest: { method: 'GET', path: '/api/chat/history/:sessionId' },
      input: session,
      output: () =>
        z.object({
          sessionId: z.string(),
          sessionExpired: z.boolean(),
          messages: z.array(historyMessage()).readonly(),
          count: z.int(),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { sessionId: 'evening' } },
      async run({ sessionId }, { userId }) {
        const exchanges = await turns.exchanges(userId, sessionId);
        const messages = historyOf({ exchanges });
        return { sessionId, sessionExpired: exchanges.length === 0, messages, count: messages.length };
      },
    }),
    defineOperation({
      name: 'chat.endSession',
      area,
      device: 'always',
      summary: 'Ends a session',
      description:
        'What still runs in it is cancelled. The next message with this id begins a new conversation. With ' +
        '`forget=true` nothing that was said in it can be read again: its words are erased, with its episodes, and ' +
        'conclusions and entities that rest on nothing else. That also erases a session that has ended before. A ' +
        'device may not ask for it, nor, while no API key is configured, a page of another origin.',
      rest: {
        method: 'DELETE',
        path: '/api/chat/sessions/:sessionId',
        isPowerful: ({ forget }) => forget !== undefined && forget !== 'false',
      },
      input: () =>
        session().extend({
          forget: z.enum(['true', 'false']).default('false').describe('Whether all of it is erased, too'),
        }),
      output: () =>
        z.object({
          ended: z.literal(true),
          forgotten: z.literal(true).optional(),
          sessionId: z.string(),
        }),
      errors: ['SESSION_UNKNOWN', 'DEVICE_SCOPE', ...unkept],
      example: { input: { sessionId: 'unknown' } },
      async run({ sessionId, forget }, { userId, correlationId, device }) {
        const asked = { userId, sessionId, correlationId };
        // Of one by voice in which nothing was said yet, no log knows.
        const wasSpoken = !(forget === 'true' && device) && (await leaveVoice(userId, sessionId));
        if (forget === 'false') {
          await runner().run(endSession, { sessionId }, asked).catch(unless(wasSpoken));
          return { ended: true as const, sessionId };
        }
        if (device) throw outOfScope();
        await forgetSession(asked).catch(unless(wasSpoken));
        return { ended: true as const, forgotten: true as const, sessionId };
      },
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

function unless(wasSpoken: boolean): (error: unknown) => void {
  return (error) => {
    if (!wasSpoken || !isHarkError(error, 'SESSION_UNKNOWN')) throw error;
  };
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
