import { z } from 'zod';
import type { Turns } from '../../application/chat/turns.ts';
import { outOfScope } from '../../application/deviceScope.ts';
import { endSession } from '../../commands/chat/turns.ts';
import type { CommandRunner } from '../../commands/runner.ts';
import { isHarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import { historyOf } from '../../projections/chat/conversation.ts';
import { type AnyOperation, type Caller, defineOperation, id } from '../operation.ts';
import { historyMessage, unfit, unkept } from './chatShapes.ts';

const area = 'chat';
const session = lazily(() => z.object({ sessionId: id() }));
const turnOfSession = lazily(() => session().extend({ turnId: id() }));

interface ConversationDependencies {
  readonly turns: Pick<Turns, 'choose' | 'exchanges'>;
  /** For what is decided outside of a turn. */
  readonly runner: () => CommandRunner;
  /** Ends it first, where it goes on. */
  readonly forgetSession: (
    session: Pick<Caller, 'userId' | 'correlationId'> & { readonly sessionId: string },
  ) => Promise<void>;
  /** Leaves off what is spoken in the session; true of one that is open by voice. */
  readonly leaveVoice: (userId: string, sessionId: string) => Promise<boolean>;
}

/** The conversation that goes on in a session: how it is read, led another way, and ended. */
export function chatConversationOperations({
  turns,
  runner,
  forgetSession,
  leaveVoice,
}: ConversationDependencies): readonly AnyOperation[] {
  return [
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
      input: turnOfSession,
      output: turnOfSession,
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
  ];
}

function unless(wasSpoken: boolean): (error: unknown) => void {
  return (error) => {
    if (!wasSpoken || !isHarkError(error, 'SESSION_UNKNOWN')) throw error;
  };
}
