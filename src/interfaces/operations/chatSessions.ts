import { z } from 'zod';
import type { PastSessions } from '../../application/chat/pastSessions.ts';
import { turnsOf } from '../../application/chat/sessionTurns.ts';
import { signalsOf } from '../../application/chat/signals.ts';
import type { Turns } from '../../application/chat/turns.ts';
import type { ShownExchange } from '../../application/chat/versions.ts';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { isUnasked } from '../../projections/chat/exchange.ts';
import { findReceived } from '../../projections/chat/received.ts';
import type { EventLog } from '../../store/port.ts';
import { imageTypes, turnOrigins } from '../../vocabulary.ts';
import { type AnyOperation, defineOperation, id, written } from '../operation.ts';
import { turnMessage } from './chatShapes.ts';

const area = 'chat';
const moment = lazily(() => written(z.coerce.number().int().nonnegative()));
const atMoment = lazily(() => moment().optional().describe('As it was then (Unix ms)'));

const listedSession = lazily(() =>
  z.object({
    sessionId: z.string(),
    title: z.string().describe('How its newest conversation began; empty where nobody said anything'),
    startedAt: z.int(),
    lastMessageAt: z.int(),
    turns: z.int(),
    isOpen: z.boolean().describe('Whether its conversation goes on, with what was said before as history'),
    excerpt: z.string().exactOptional().describe('Where what was searched for stands in it'),
  }),
);

const pastTurn = lazily(() =>
  z.object({
    turnId: z.string(),
    at: z.int(),
    text: z.string().nullable().describe('What was said to the assistant; null where it spoke by itself'),
    images: z.int().describe('How many; `/api/chat/turns/{turnId}/images` has them'),
    origin: z.enum(turnOrigins).describe('Whose words they are'),
    source: z.string().exactOptional().describe('What asked: a task, or a workflow and its step'),
    spoken: z.literal(true).exactOptional().describe('By voice'),
    state: z.enum(['running', 'replied', 'delegated', 'failed', 'cancelled', 'interrupted']),
    versions: z
      .array(z.string())
      .readonly()
      .exactOptional()
      .describe(
        'The turns that stand in place of each other, this one among them, in the order in which they were said; left ' +
          'out where it was never replaced. `PUT /api/chat/sessions/{sessionId}/branch` takes another one up',
      ),
    isOpen: z.boolean().describe('Whether its conversation goes on: only then can it be replaced'),
    signals: z
      .array(turnMessage())
      .readonly()
      .describe('What a listener was told of it, pieces put together'),
  }),
);

interface SessionDependencies {
  readonly sessions: Pick<PastSessions, 'find'>;
  readonly turns: Pick<Turns, 'exchanges'>;
  readonly store: () => EventLog;
}

/** What was said in chats, also in those that are over. */
export function chatSessionOperations({
  sessions,
  turns,
  store,
}: SessionDependencies): readonly AnyOperation[] {
  return [
    defineOperation({
      name: 'chat.sessions',
      area,
      device: 'always',
      summary: 'The sessions of the user, newest first, and a search in them',
      description:
        'Those that have ended as well, as long as their words can be read. `query` finds messages of both sides that ' +
        'hold all its words. `before` goes on behind a page: the `lastMessageAt` of its last session.',
      rest: { method: 'GET', path: '/api/chat/sessions' },
      input: () =>
        z.object({
          query: z.string().trim().max(200).default(''),
          limit: written(z.coerce.number().int().min(1).max(200)).default(30),
          before: moment().optional(),
          at: atMoment(),
        }),
      output: () => z.object({ sessions: z.array(listedSession()).readonly(), count: z.int() }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { query: 'birthday' } },
      async run(asked, { userId, signal }) {
        const found = await sessions.find({ ...asked, userId, signal });
        return { sessions: found, count: found.length };
      },
    }),
    defineOperation({
      name: 'chat.turns',
      area,
      device: 'always',
      summary: 'The turns of a session, with all that happened in them',
      description:
        'The newest, in the order in which they were said; `before` names the oldest turn that is known already. Also ' +
        'those of conversations in this session that have ended; not those that were set aside for another version. A ' +
        'turn that is `running` is followed with `GET /api/chat/stream/{turnId}`.',
      rest: { method: 'GET', path: '/api/chat/sessions/:sessionId/turns' },
      input: () =>
        z.object({
          sessionId: id(),
          limit: written(z.coerce.number().int().min(1).max(100)).default(20),
          before: id().optional(),
          at: atMoment(),
        }),
      output: () =>
        z.object({
          sessionId: z.string(),
          turns: z.array(pastTurn()).readonly(),
          count: z.int(),
          hasMore: z.boolean().describe('Whether there are older ones'),
        }),
      errors: ['KVSTORE_UNAVAILABLE'],
      example: { input: { sessionId: 'evening' } },
      async run({ sessionId, ...asked }, { userId }) {
        const current = asked.at === undefined ? await turns.exchanges(userId, sessionId) : [];
        const { exchanges, hasMore } = await turnsOf(store(), { ...asked, userId, sessionId }, current);
        const told = exchanges.map(toWire);
        return { sessionId, turns: told, count: told.length, hasMore };
      },
    }),
    defineOperation({
      name: 'chat.images',
      area,
      device: 'always',
      summary: 'The images that were sent with a message',
      rest: { method: 'GET', path: '/api/chat/turns/:turnId/images' },
      input: () => z.object({ turnId: id() }),
      output: () =>
        z.object({
          images: z
            .array(z.object({ mimeType: z.enum(imageTypes), content: z.string().describe('Base64') }))
            .readonly(),
        }),
      errors: ['TURN_UNKNOWN', 'KVSTORE_UNAVAILABLE'],
      example: { input: { turnId: 'unknown' } },
      async run({ turnId }, { userId }) {
        const received = await findReceived(store(), userId, turnId);
        if (!received) throw new HarkError('TURN_UNKNOWN', { body: { turnId } });
        const images = received.data.images.flatMap(({ mimeType, base64: content }) =>
          content === null ? [] : [{ mimeType, content }],
        );
        return { images };
      },
    }),
  ];
}

/** Of a spoken reply that is over, what was heard. */
function toWire({ hearing: _, ...exchange }: ShownExchange): z.output<ReturnType<typeof pastTurn>> {
  const { turnId, at, text, images, origin, source, spoken, end, versions, isOver } = exchange;
  return {
    ...{ turnId, at, text: isUnasked(exchange) ? null : text, images: images.length, origin },
    ...(source === undefined ? {} : { source }),
    ...(spoken === undefined ? {} : { spoken }),
    state: end?.as ?? 'running',
    ...(versions === undefined ? {} : { versions }),
    isOpen: isOver !== true,
    signals: signalsOf(exchange),
  };
}
