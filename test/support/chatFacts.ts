import assert from 'node:assert/strict';
import { branchChosen, type ChatEvent, historySummarized, sessionEnded } from '../../src/events/chat.ts';
import {
  replySent,
  type TurnMetadata,
  turnCancelled,
  turnDelegated,
  turnFailed,
  turnInterrupted,
} from '../../src/events/turnEndings.ts';
import {
  messageReceived,
  type SpokenPart,
  stepTaken as stepTakenEvent,
  toolCalled as toolCalledEvent,
  toolReturned as toolReturnedEvent,
} from '../../src/events/turns.ts';
import { beginExchange, continueExchange, type Exchange } from '../../src/projections/chat/exchange.ts';
import { NOW } from './given.ts';

/* What happens in chats, with as little said as a test needs; all in session `s` of conversation `c`. */

export const CONVERSATION = 'c';
const place = (turnId: string) => ({ turnId, sessionId: 's', conversationId: CONVERSATION });

const metadata: TurnMetadata = {
  stepCount: 1,
  toolCallCount: 0,
  durationMs: 5,
  intent: null,
  slot: 'chat',
  provider: 'cloud-a',
  model: 'model-a',
  fallback: false,
  recalled: [],
  toolTokens: 0,
  usage: { inputTokens: 1, outputTokens: 2 },
};

type Fact<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

export function received(
  turnId: string,
  facts: Partial<Fact<'chat.message.received'>['data']> = {},
): Fact<'chat.message.received'> {
  const from = { platform: 'web', origin: 'user' } as const;
  const said = { ...from, text: `Text of ${turnId}`, images: [], instanceId: 'one' };
  return { type: messageReceived.type, data: { ...place(turnId), ...said, ...facts } };
}

export function stepTaken(
  turnId: string,
  step = 1,
  type: SpokenPart['type'] = 'content',
  text = 'Let me look',
): Fact<'chat.step.taken'> {
  const parts = type === 'content' ? spoken(text) : [...spoken('Hm', type), ...spoken(text)];
  return { type: stepTakenEvent.type, data: { ...place(turnId), ...stepOf(step, parts) } };
}

export function toolCalled(turnId: string, callId: string, step = 1): Fact<'chat.tool.called'> {
  const call = { callId, name: 'clock.read', input: { zone: 'UTC' }, malformed: null };
  return { type: toolCalledEvent.type, data: { ...place(turnId), step, ...call } };
}

export function toolReturned(turnId: string, callId: string, result = 'noon'): Fact<'chat.tool.returned'> {
  const back = { callId, result, failed: false, durationMs: 1 };
  return { type: toolReturnedEvent.type, data: { ...place(turnId), ...back } };
}

export function replied(turnId: string, text = `Reply to ${turnId}`, step = 1): Fact<'chat.reply.sent'> {
  const data = { ...place(turnId), ...stepOf(step, spoken(text)), metadata };
  return { type: replySent.type, data };
}

export function delegated(turnId: string): Fact<'chat.turn.delegated'> {
  return { type: turnDelegated.type, data: { ...place(turnId), metadata } };
}

export function failed(
  turnId: string,
  code: Fact<'chat.turn.failed'>['data']['code'] = 'MODEL_UNAVAILABLE',
): Fact<'chat.turn.failed'> {
  return { type: turnFailed.type, data: { ...place(turnId), step: 0, parts: [], metadata, code } };
}

export function cancelled(turnId: string, said = ''): Fact<'chat.turn.cancelled'> {
  return { type: turnCancelled.type, data: { ...place(turnId), ...brokenOff(said) } };
}

export function interrupted(turnId: string, said = ''): Fact<'chat.turn.interrupted'> {
  return { type: turnInterrupted.type, data: { ...place(turnId), ...brokenOff(said) } };
}

export function ended(
  reason: 'idle' | 'asked',
  turns: number,
  conversationId = CONVERSATION,
): Fact<'sessionEnded'> {
  return { type: sessionEnded.type, data: { sessionId: 's', conversationId, reason, turns } };
}

export function branchedTo(turnId: string): Fact<'chat.branch.chosen'> {
  return { type: branchChosen.type, data: { turnId, sessionId: 's', conversationId: CONVERSATION } };
}

export function summarized(turnId: string, uptoTurnId: string): Fact<'chat.history.summarized'> {
  const summary = { uptoTurnId, summary: `Up to ${uptoTurnId}`, tokens: 3 };
  return { type: historySummarized.type, data: { ...place(turnId), ...summary } };
}

/** One turn, from what happened in it. */
export function exchangeOf(first: Fact<'chat.message.received'>, ...rest: readonly ChatEvent[]): Exchange {
  assert.ok(first);
  return rest.reduce(
    (exchange, fact) => continueExchange(exchange, fact, NOW + 1),
    beginExchange(first.data, NOW),
  );
}

function brokenOff(said: string) {
  return { step: said === '' ? 0 : 1, parts: spoken(said), metadata };
}

function stepOf(step: number, parts: readonly SpokenPart[]) {
  const usage = { inputTokens: 1, outputTokens: 2 };
  return { step, provider: 'cloud-a' as const, model: 'model-a', parts, reasoning: null, usage };
}

function spoken(text: string, type: SpokenPart['type'] = 'content'): readonly SpokenPart[] {
  return text === '' ? [] : [{ type, text }];
}
