import { audioKept, type ChatEvent, chatStream, replyHeard } from '../../events/chat.ts';
import { toolReturned } from '../../events/turns.ts';
import { defineCommand } from '../command.ts';
import { type SessionState, sessionState } from './state.ts';

/* What is learned of a turn once the model has said all that it says in it. */

interface HearReply {
  readonly sessionId: string;
  readonly turnId: string;
  /** Of all that was said in the turn. */
  readonly characters: number;
  readonly isLast: boolean;
}

/** So much of a spoken reply was heard. Of a conversation that has ended nothing is learned any more. */
export const hearReply = defineCommand<HearReply, SessionState>({
  name: 'chat.hearReply',
  state: sessionState,
  scope: 'user',
  stream: (place, userId) => chatStream(userId, place),
  decide({ conversationId, spoken }, heard): ChatEvent[] {
    if (conversationId === null || !spoken.includes(heard.turnId)) return [];
    return [{ type: replyHeard.type, data: { ...heard, conversationId } }];
  },
});

interface ReturnCall {
  readonly sessionId: string;
  readonly callId: string;
  readonly result: string;
}

/** A client tells what came of a call that it was left. Of any other nothing is kept. */
export const returnCall = defineCommand<ReturnCall, SessionState>({
  name: 'chat.returnCall',
  state: sessionState,
  scope: 'user',
  stream: ({ sessionId }, userId) => chatStream(userId, { sessionId, turnId: '' }),
  continues: true,
  decide({ conversationId, left, open }, { sessionId, callId, result }): ChatEvent[] {
    const call = left.findLast((one) => one.callId === callId);
    if (conversationId === null || !call || open.some(({ turnId }) => turnId === call.turnId)) return [];
    const { turnId } = call;
    const returned = { turnId, sessionId, conversationId, callId, result, failed: false, durationMs: 0 };
    return [{ type: toolReturned.type, data: returned }];
  },
});

interface KeepAudio {
  readonly sessionId: string;
  readonly audioId: string;
  readonly role: 'user' | 'assistant';
  readonly rate: number;
  readonly samples: number;
  readonly key: string;
}

/** What was said is kept in a file, for as long as the conversation can be read: of one that was erased nothing is. */
export const keepAudioKey = defineCommand<KeepAudio, SessionState>({
  name: 'chat.keepAudioKey',
  state: sessionState,
  scope: 'user',
  stream: ({ sessionId }, userId) => chatStream(userId, { sessionId, turnId: '' }),
  continues: true,
  decide({ conversationId, isForgotten }, audio): ChatEvent[] {
    if (conversationId === null || isForgotten) return [];
    return [{ type: audioKept.type, data: { ...audio, conversationId } }];
  },
});
