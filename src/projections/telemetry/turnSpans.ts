import { type ChatEvent, readChatEvent } from '../../events/chat.ts';
import type { FailedAttempt } from '../../events/turns.ts';
import { contextOf, named } from '../../tracing/context.ts';
import type { Span } from '../../tracing/span.ts';
import {
  finishReasons,
  modelSpan,
  recallSpan,
  said,
  type TurnTold,
  toolSpan,
  turnSpan,
} from './genAiSpans.ts';
import type { TracedEvent } from './traced.ts';

type DataOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>['data'];
type Step = DataOf<'chat.step.taken'>;

interface Called {
  readonly data: DataOf<'chat.tool.called'>;
  readonly at: number;
}

/** A turn as far as it is known; its spans come in the order in which they ended. */
interface TurnTrace extends TurnTold {
  /** When the model was asked last, as far as the log tells. */
  askedMs: number;
  /** When the last model ended that did not answer. */
  failedMs: number;
  /** Steps that are over. */
  taken: number;
  readonly open: Map<string, Called>;
  readonly spans: Span[];
}

/**
 * The spans of a turn that is over, from its events in their order: of what a process did that was killed in the middle
 * of it, too. What was asked of models and tools lies in the turn.
 */
export function turnSpans(events: readonly TracedEvent[], turnId: string): readonly Span[] {
  let turn: TurnTrace | undefined;
  for (const traced of events) {
    const event = readChatEvent(traced);
    if (!event || !('turnId' in event.data) || event.data.turnId !== turnId) continue;
    if (event.type === 'chat.message.received') turn = begun(event.data, traced);
    else if (turn && take(turn, event, traced.at)) return turn.spans;
  }
  return [];
}

function begun(received: DataOf<'chat.message.received'>, { at, correlationId }: TracedEvent): TurnTrace {
  const { turnId, sessionId, conversationId } = received;
  return {
    context: contextOf(correlationId),
    turnId,
    conversationId: sessionId ?? conversationId,
    received,
    startMs: at,
    askedMs: at,
    failedMs: at,
    taken: 0,
    open: new Map(),
    spans: [],
  };
}

/** True once the turn is over. */
function take(turn: TurnTrace, event: ChatEvent, at: number): boolean {
  switch (event.type) {
    case 'chat.step.taken':
      asked(turn, event.data, at, 'tool_call');
      return false;
    case 'chat.tool.called':
      turn.open.set(event.data.callId, { data: event.data, at });
      return false;
    case 'chat.tool.returned':
      returned(turn, event.data, at);
      return false;
    case 'chat.reply.sent':
      asked(turn, event.data, at, finishReasons[event.data.metadata.finish ?? 'stop']);
      turn.spans.push(turnSpan(turn, event.data.metadata, at));
      return true;
    case 'chat.turn.delegated':
      turn.spans.push(turnSpan(turn, event.data.metadata, at));
      return true;
    case 'chat.turn.failed':
      brokenOff(turn, event.data, at, event.data.code);
      return true;
    case 'chat.turn.cancelled':
      brokenOff(turn, event.data, at, 'cancelled');
      return true;
    case 'chat.turn.interrupted':
      brokenOff(turn, event.data, at, 'interrupted');
      return true;
    default:
      return false;
  }
}

/** A reminder has no model, and neither has what a rule said. */
function asked(turn: TurnTrace, step: Step, at: number, finish: string): void {
  turn.taken = step.step;
  if (step.timing?.recall) turn.spans.push(recallSpan(turn, step.timing.recall));
  notAnswered(turn, { step: step.step, at }, step.timing?.failedAttempts);
  if (step.provider === null || step.model === null) return;
  const { timing, usage } = step;
  turn.spans.push(
    modelSpan(
      turn,
      { is: named.step(turn.turnId, step.step), provider: step.provider, model: step.model },
      {
        startMs: timing ? Math.max(turn.startMs, turn.failedMs, at - timing.ms) : turn.askedMs,
        endMs: at,
        attributes: {
          'gen_ai.response.model': step.model,
          'gen_ai.response.finish_reasons': [finish],
          'gen_ai.response.time_to_first_chunk':
            timing?.firstPartMs == null ? null : timing.firstPartMs / 1_000,
          'gen_ai.usage.input_tokens': usage.inputTokens,
          'gen_ai.usage.output_tokens': usage.outputTokens,
          ...said(step),
        },
      },
    ),
  );
  turn.askedMs = at;
}

/** Models that were asked in a step, before another was that answered, or none. */
function notAnswered(
  turn: TurnTrace,
  { step, at }: { readonly step: number; readonly at: number },
  failed: readonly FailedAttempt[] = [],
): void {
  for (const [place, { provider, model, kind, afterMs, ms }] of failed.entries()) {
    const startMs = turn.startMs + afterMs;
    turn.failedMs = Math.min(startMs + ms, at);
    turn.spans.push(
      modelSpan(
        turn,
        { is: named.attempt(turn.turnId, step, place + 1), provider, model },
        { startMs, endMs: turn.failedMs, attributes: {}, error: kind },
      ),
    );
  }
}

function returned(turn: TurnTrace, data: DataOf<'chat.tool.returned'>, at: number): void {
  const called = turn.open.get(data.callId);
  if (!called) return;
  turn.open.delete(data.callId);
  turn.spans.push(
    toolSpan(turn, called.data, {
      startMs: Math.max(called.at, at - data.durationMs),
      endMs: at,
      // What a server of tools says failed is named so by the conventions of MCP.
      error: data.failed ? (data.isForeign ? 'tool_error' : '_OTHER') : undefined,
      attributes: {
        ...(data.isForeign ? { 'mcp.method.name': 'tools/call', 'gen_ai.tool.type': 'extension' } : {}),
        'gen_ai.tool.call.result': data.result,
      },
    }),
  );
  turn.askedMs = at;
}

/** What was under way then ended with the turn, as far as anybody knows. */
function brokenOff(
  turn: TurnTrace,
  { step, metadata, failedAttempts }: DataOf<'chat.turn.cancelled'>,
  at: number,
  error: string,
): void {
  for (const called of turn.open.values())
    turn.spans.push(toolSpan(turn, called.data, { startMs: called.at, endMs: at, attributes: {}, error }));
  notAnswered(turn, { step, at }, failedAttempts);
  const { provider, model } = metadata;
  if (step > turn.taken && provider !== null) {
    const is = named.step(turn.turnId, step);
    const startMs = Math.max(turn.askedMs, turn.failedMs);
    turn.spans.push(modelSpan(turn, { is, provider, model }, { startMs, endMs: at, attributes: {}, error }));
  }
  turn.spans.push(turnSpan(turn, metadata, at, error));
}
