import { HarkError } from '../../errors.ts';
import { branchChosen, type ChatEvent, chatStream, sessionEnded, type TurnPlace } from '../../events/chat.ts';
import type { EventOf } from '../../events/definition.ts';
import {
  nothingDone,
  readTurnEnding,
  turnCancelled,
  turnForgotten,
  turnInterrupted,
} from '../../events/turnEndings.ts';
import { messageReceived } from '../../events/turns.ts';
import { defineCommand } from '../command.ts';
import { type OpenTurn, type SessionState, sessionState } from './state.ts';

type Received = EventOf<typeof messageReceived>['data'];

/** A turn as it was found in the log: in which conversation it is never changes. */
export type FoundTurn = Pick<Received, 'turnId' | 'conversationId'>;

export interface ReceiveMessage extends Omit<Received, 'conversationId' | 'replaces'> {
  readonly replaces?: FoundTurn;
}

/** The message is kept before anything is done about it; its turn waits for those that came before. */
export const receiveMessage = defineCommand<ReceiveMessage, SessionState>({
  name: 'chat.receiveMessage',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  isFirst: ({ sessionId }) => sessionId === null,
  decide(session, { replaces, ...message }): ChatEvent[] {
    const { conversationId, open } = session;
    if (open.some(({ turnId }) => turnId === message.turnId)) return [];
    if (replaces) refuseUnlessAtRest(session, replaces);
    const place = { conversationId: conversationId ?? message.turnId };
    const data = { ...message, ...place, ...(replaces ? { replaces: replaces.turnId } : {}) };
    return [{ type: messageReceived.type, data }];
  },
});

interface ChooseBranch extends FoundTurn {
  readonly sessionId: string;
}

/** What was set aside is taken up again: the conversation leads through this turn. */
export const chooseBranch = defineCommand<ChooseBranch, SessionState>({
  name: 'chat.chooseBranch',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  continues: true,
  decide(session, chosen): ChatEvent[] {
    refuseUnlessAtRest(session, chosen);
    return [{ type: branchChosen.type, data: chosen }];
  },
});

/** Memory was made of what has ended; and what runs would go on where nobody sees it. */
function refuseUnlessAtRest({ conversationId, open }: SessionState, turn: FoundTurn): void {
  if (conversationId !== turn.conversationId)
    throw new HarkError('CONVERSATION_OVER', { body: { turnId: turn.turnId } });
  const [running] = open;
  if (running) throw new HarkError('TURN_RUNNING', { body: { turnId: running.turnId } });
}

/** What came of a turn since it was last told of, its end included. */
interface AdvanceTurn extends TurnPlace {
  readonly events: readonly ChatEvent[];
}

/**
 * Whoever runs a turn finds out here that it is over: cancelled elsewhere, or given up for lost. One whose message
 * was forgotten meanwhile is cancelled here, and nothing of what came of it is kept.
 */
export const advanceTurn = defineCommand<AdvanceTurn, SessionState>({
  name: 'chat.advanceTurn',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  continues: true,
  decide({ open, conversationId }, { turnId, events }) {
    const turn = open.find((one) => one.turnId === turnId);
    if (conversationId === null || !turn) throw new HarkError('TURN_OVER');
    if (turn.isForgotten) return breakOff({ ...turn, conversationId }, 'cancelled');
    // Begun while the log was away, the turn knew nothing of the conversation under whose key it belongs.
    const advanced = events.map(({ type, data }) => ({ type, data: { ...data, conversationId } }));
    if (!turn.isTransient || !events.some((event) => readTurnEnding(event) !== undefined)) return advanced;
    return [...advanced, ...forgetIfTransient({ ...turn, conversationId })];
  },
});

interface BreakOffTurn extends TurnPlace {
  readonly as: 'cancelled' | 'interrupted';
}

/** Ends a turn from outside, by somebody who does not know how far it was. One that is over stays as it is. */
export const breakOffTurn = defineCommand<BreakOffTurn, SessionState>({
  name: 'chat.breakOffTurn',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  decide({ conversationId, open }, { turnId, as }): ChatEvent[] {
    const turn = open.find((one) => one.turnId === turnId);
    return turn ? breakOff({ ...turn, conversationId: conversationId ?? turnId }, as) : [];
  },
});

interface OpenTurnOf extends OpenTurn {
  readonly conversationId: string;
}

function breakOff(turn: OpenTurnOf, as: BreakOffTurn['as']): ChatEvent[] {
  const { turnId, sessionId, conversationId } = turn;
  const { type } = as === 'cancelled' ? turnCancelled : turnInterrupted;
  const data = { turnId, sessionId, conversationId, step: 0, parts: [], metadata: nothingDone };
  return [{ type, data }, ...forgetIfTransient(turn)];
}

/** To come with its ending. */
function forgetIfTransient({ turnId, sessionId, conversationId, isTransient }: OpenTurnOf): ChatEvent[] {
  return isTransient ? [{ type: turnForgotten.type, data: { turnId, sessionId, conversationId } }] : [];
}

interface EndSession {
  readonly sessionId: string;
  /** Where it was found idle: what it looked like then. It stays open when anything came of it since. */
  readonly idle?: { readonly conversationId: string; readonly turns: number };
}

/** The conversation is over, exactly once; what still runs in it is broken off. */
export const endSession = defineCommand<EndSession, SessionState>({
  name: 'chat.endSession',
  state: sessionState,
  scope: 'user',
  stream: ({ sessionId }, userId) => chatStream(userId, { sessionId, turnId: '' }),
  decide({ conversationId, turns, open }, { sessionId, idle }): ChatEvent[] {
    if (idle && (conversationId !== idle.conversationId || turns !== idle.turns || open.length > 0))
      return [];
    if (conversationId === null) throw new HarkError('SESSION_UNKNOWN', { body: { sessionId } });
    const broken = open.flatMap((turn) => breakOff({ ...turn, conversationId }, 'cancelled'));
    const reason = idle ? 'idle' : 'asked';
    const ended = { sessionId, conversationId, reason, turns: turns + open.length } as const;
    return [...broken, { type: sessionEnded.type, data: ended }];
  },
});
