import type { ChatEvent } from '../../events/chat.ts';
import type { TurnMetadata } from '../../events/turnEndings.ts';
import { named, type TraceContext } from '../../tracing/context.ts';
import type { Span } from '../../tracing/span.ts';
import { spanIn } from './traced.ts';

/*
 * What a turn does, as OpenTelemetry's conventions for generative models name it.
 */

type DataOf<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>['data'];
type Step = DataOf<'chat.step.taken'>;

/** The turn that a span lies in. */
export interface TurnTold {
  readonly context: TraceContext;
  readonly turnId: string;
  readonly conversationId: string;
  readonly received: DataOf<'chat.message.received'>;
  readonly startMs: number;
}

/** What spans of one kind differ in. */
type Part = Pick<Parameters<typeof spanIn>[1], 'startMs' | 'endMs' | 'attributes' | 'error'>;

/** Whose formats and words those of a provider are, as the conventions name them. */
const providerNames = {
  'cloud-a': 'anthropic',
  'cloud-b': 'openai',
  gateway: 'openrouter',
  'local-runner': 'ollama',
} as const;
type Provider = keyof typeof providerNames;

export const finishReasons = {
  stop: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  refused: 'content_filter',
  other: 'other',
} as const;

/** Of a model that was asked, whether it answered or not. */
export function modelSpan(
  { context, turnId, conversationId }: TurnTold,
  {
    is,
    provider,
    model,
  }: { readonly is: string; readonly provider: Provider; readonly model: string | null },
  part: Part,
): Span {
  return spanIn(context, {
    is,
    within: named.turn(turnId),
    name: model === null ? 'chat' : `chat ${model}`,
    kind: 'client',
    ...part,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerNames[provider],
      'gen_ai.request.model': model,
      'gen_ai.request.stream': true,
      'gen_ai.conversation.id': conversationId,
      ...part.attributes,
    },
  });
}

export function toolSpan(
  { context, turnId, conversationId }: TurnTold,
  { callId, name, input }: DataOf<'chat.tool.called'>,
  part: Part,
): Span {
  return spanIn(context, {
    is: named.call(turnId, callId),
    within: named.turn(turnId),
    name: `execute_tool ${name}`,
    ...part,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': callId,
      'gen_ai.conversation.id': conversationId,
      'gen_ai.tool.call.arguments': input === null ? null : JSON.stringify(input),
      ...part.attributes,
    },
  });
}

/** What memory was asked before the model was. */
export function recallSpan(turn: TurnTold, recall: NonNullable<NonNullable<Step['timing']>['recall']>): Span {
  const startMs = turn.startMs + recall.afterMs;
  return spanIn(turn.context, {
    is: named.recall(turn.turnId),
    within: named.turn(turn.turnId),
    name: 'search_memory memory',
    startMs,
    endMs: startMs + recall.ms,
    attributes: {
      'gen_ai.operation.name': 'search_memory',
      'gen_ai.provider.name': 'hark',
      'gen_ai.memory.store.id': 'memory',
      'gen_ai.memory.record.count': recall.records,
      'gen_ai.conversation.id': turn.conversationId,
      'gen_ai.memory.query.text': turn.received.text,
    },
  });
}

/** The whole of it. */
export function turnSpan(turn: TurnTold, metadata: TurnMetadata, at: number, error?: string): Span {
  const { context, turnId, conversationId, received, startMs } = turn;
  const { provider, model, usage, slot, fallback, stepCount, toolCallCount } = metadata;
  return spanIn(context, {
    is: named.turn(turnId),
    within: isOfTask(turnId, received.source) ? named.run(turnId) : undefined,
    name: 'invoke_agent hark',
    startMs,
    endMs: at,
    error,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider === null ? 'hark' : providerNames[provider],
      'gen_ai.agent.name': 'hark',
      'gen_ai.conversation.id': conversationId,
      'gen_ai.request.model': model,
      'gen_ai.usage.input_tokens': usage.inputTokens,
      'gen_ai.usage.output_tokens': usage.outputTokens,
      'hark.turn.id': turnId,
      'hark.turn.platform': received.platform,
      'hark.turn.origin': received.origin,
      'hark.turn.source': received.source,
      'hark.turn.slot': slot,
      'hark.turn.fallback': fallback,
      'hark.turn.steps': stepCount,
      'hark.turn.tool_calls': toolCallCount,
      'gen_ai.input.messages': messages('user', received.text),
    },
  });
}

/** What a task has said is said in a turn that is named after the attempt, and the attempt after the task. */
function isOfTask(turnId: string, source: string | undefined): boolean {
  return source !== undefined && turnId.startsWith(`${source}-`);
}

/** Null where it was not to be told, and where it is erased. */
export function said({ parts, metadata }: Pick<Step, 'parts'> & { readonly metadata?: TurnMetadata }) {
  const text = parts
    .flatMap((part) => (part.type === 'content' && part.text !== null ? [part.text] : []))
    .join('');
  const reason = metadata?.finish && { finish_reason: finishReasons[metadata.finish] };
  return { 'gen_ai.output.messages': messages('assistant', text, reason) };
}

function messages(role: 'user' | 'assistant', text: string | null, more: object = {}): string | null {
  if (text === null || text === '') return null;
  return JSON.stringify([{ role, parts: [{ type: 'text', content: text }], ...more }]);
}
