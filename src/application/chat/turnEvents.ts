import { type ChatEvent, historySummarized } from '../../events/chat.ts';
import {
  replySent,
  type TurnMetadata,
  turnCancelled,
  turnDelegated,
  turnFailed,
  turnInterrupted,
} from '../../events/turnEndings.ts';
import {
  type FailedAttempt,
  type SpokenPart,
  type StepTiming,
  stepTaken,
  toolCalled,
  toolReturned,
} from '../../events/turns.ts';
import type { ToolCall } from '../../gateways/models/gateway.ts';
import type { ToolReturn } from '../../projections/chat/exchange.ts';
import type { Routed } from '../models.ts';
import type { Condensed } from './condense.ts';
import type { BrokenOff, Heard, InputOf, SpokenPiece, TurnSoFar } from './turnState.ts';

/* What is written of a turn, from what is known of it. */

/** A whole step of the model. */
type Answer = { readonly [Part in keyof Heard]: NonNullable<Heard[Part]> } & {
  readonly parts: readonly SpokenPart[];
  readonly timing: StepTiming;
};

export function eventOfSummary({ place }: TurnSoFar, summed: Condensed): ChatEvent {
  return { type: historySummarized.type, data: { ...place, ...summed } };
}

/** The step, and what it called. */
export function eventsOfStep({ place }: TurnSoFar, step: number, answer: Answer): readonly ChatEvent[] {
  const called = answer.calls.map((call) => ({
    type: toolCalled.type,
    data: { ...place, step, ...useOf(call) },
  }));
  return [{ type: stepTaken.type, data: { ...place, ...spoken(step, answer) } }, ...called];
}

function useOf({ id, name, input, malformed }: ToolCall) {
  return { callId: id, name, input: { ...input }, malformed: malformed ?? null };
}

export function eventOfReturn({ place }: TurnSoFar, result: ToolReturn): ChatEvent {
  const { result: text, ...returned } = result;
  return { type: toolReturned.type, data: { ...place, ...returned, result: text } };
}

export function eventOfReply(turn: TurnSoFar, step: number, answer: Answer, now: number): ChatEvent {
  const data = { ...turn.place, ...spoken(step, answer), metadata: metadataAt(turn, now) };
  return { type: replySent.type, data };
}

export function eventOfDelegation(turn: TurnSoFar, now: number): ChatEvent {
  return { type: turnDelegated.type, data: { ...turn.place, metadata: metadataAt(turn, now) } };
}

/** Each text in one piece. */
export function partsOf(said: SpokenPiece | null): readonly SpokenPart[] {
  const parts: SpokenPart[] = [];
  for (let piece = said; piece; ) {
    const { type } = piece;
    const texts: string[] = [];
    for (; piece?.type === type; piece = piece.before) texts.push(piece.text);
    parts.push({ type, text: texts.reverse().join('') });
  }
  return parts.reverse();
}

/** With what was said in a step that is not kept. */
export function eventOfBreakingOff(
  turn: TurnSoFar,
  { step, parts: heard }: { readonly step: number; readonly parts: readonly SpokenPart[] },
  why: BrokenOff,
  now: number,
): ChatEvent {
  const parts = step > turn.exchange.steps.length ? heard : [];
  const data = { ...turn.place, step, parts, metadata: metadataAt(turn, now), ...failedOf(turn) };
  if (typeof why === 'object') return { type: turnFailed.type, data: { ...data, code: why.code } };
  return { type: why === 'cancelled' ? turnCancelled.type : turnInterrupted.type, data };
}

function spoken(step: number, answer: Answer) {
  const { finish, parts, timing } = answer;
  const { provider, model } = answer.routed;
  const { reasoning = null, usage } = finish;
  return { step, provider, model, parts, reasoning, usage, ...costOf(answer), timing };
}

function costOf({ routed: { pricing }, finish: { usage } }: Answer): { readonly usd?: number } {
  if (!pricing) return {};
  const millionths = usage.inputTokens * pricing.inputPer1M + usage.outputTokens * pricing.outputPer1M;
  return { usd: millionths / 1_000_000 };
}

function metadataAt({ metadata, startedMs }: TurnSoFar, now: number): TurnMetadata {
  return { ...metadata, durationMs: Math.round(now - startedMs) };
}

/** Models that did not answer in the step that is under way, where there are any. */
export function failedOf({ failedAttempts }: TurnSoFar): { failedAttempts?: readonly FailedAttempt[] } {
  return failedAttempts.length > 0 ? { failedAttempts } : {};
}

export function countFailed(turn: TurnSoFar, { attempt }: InputOf<'attempt failed'>): TurnSoFar {
  const { startedMs, ms, ...failed } = attempt;
  const afterMs = Math.max(0, Math.round(startedMs - turn.startedMs));
  return { ...turn, failedAttempts: [...turn.failedAttempts, { ...failed, afterMs, ms: Math.round(ms) }] };
}

/** One step that was answered by a fallback makes it a turn that was. */
export function countRoute(
  turn: TurnSoFar,
  { provider, model, fallback, fallbackReason }: Routed,
): TurnSoFar {
  const metadata = { ...turn.metadata, provider, model, fallback: turn.metadata.fallback || fallback };
  if (fallbackReason === undefined || metadata.fallbackReason !== undefined) return { ...turn, metadata };
  return { ...turn, metadata: { ...metadata, fallbackReason } };
}

export function countStep(turn: TurnSoFar, answer: Answer, toolTokens: number): TurnSoFar {
  const { finish, calls } = answer;
  const { usd: before = 0, ...counted } = turn.metadata;
  const { stepCount, toolCallCount, usage } = counted;
  const { usd } = costOf(answer);
  const isPriced = usd !== undefined && (stepCount === 0 || turn.metadata.usd !== undefined);
  const metadata = {
    ...counted,
    ...(isPriced ? { usd: before + usd } : {}),
    finish: finish.reason,
    toolTokens,
    stepCount: stepCount + 1,
    toolCallCount: toolCallCount + calls.length,
    usage: {
      inputTokens: usage.inputTokens + finish.usage.inputTokens,
      outputTokens: usage.outputTokens + finish.usage.outputTokens,
    },
  };
  return { ...turn, metadata };
}
