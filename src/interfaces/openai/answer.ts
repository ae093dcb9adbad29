import { contentOf, type Exchange, type ExchangeEnd } from '../../projections/chat/exchange.ts';
import type { Completion, CompletionChunk, Delta, FinishReason } from './answerShapes.ts';

/** What stands on every piece of an answer. */
export interface Headed {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** A turn that ended well, as one answer. What hark's own tools did in between is not told. */
export function completionOf(headed: Headed, exchange: Exchange, end: ExchangeEnd): Completion {
  const calls = callsOf(exchange, end);
  const content = contentOf(exchange);
  const thoughts = thoughtsOf(exchange);
  const message = {
    role: 'assistant' as const,
    content: content === '' && calls.length > 0 ? null : content,
    refusal: null,
    ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choice = { index: 0 as const, message, logprobs: null, finish_reason: finishReasonOf(end) };
  return { ...headed, object: 'chat.completion', choices: [choice], usage: usageOf(end) };
}

export function chunkOf(
  headed: Headed,
  delta: Delta,
  finish_reason: FinishReason | null = null,
): CompletionChunk {
  const choice = { index: 0 as const, delta, logprobs: null, finish_reason };
  return { ...headed, object: 'chat.completion.chunk', choices: [choice] };
}

/** The calls that a turn leaves to its client. */
export function callsOf({ steps }: Pick<Exchange, 'steps'>, { as }: ExchangeEnd) {
  const calls = as === 'delegated' ? (steps.at(-1)?.calls ?? []) : [];
  return calls.map(({ callId: id, name, input, malformed }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: malformed ?? JSON.stringify(input ?? {}) },
  }));
}

export function usageOf({ metadata: { usage } }: ExchangeEnd): Completion['usage'] {
  const { inputTokens, outputTokens } = usage;
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

export function finishReasonOf({ as, metadata: { finish } }: ExchangeEnd): FinishReason {
  if (as === 'delegated') return 'tool_calls';
  if (finish === 'length') return 'length';
  return finish === 'refused' ? 'content_filter' : 'stop';
}

function thoughtsOf({ steps }: Exchange): string {
  return steps
    .map(({ parts }) =>
      parts.flatMap(({ type, text }) => (type === 'thinking' && text ? [text] : [])).join(''),
    )
    .filter((text) => text !== '')
    .join('\n\n');
}
