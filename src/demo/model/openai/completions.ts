import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions';
import { field } from '../loose.ts';
import {
  frame,
  inputText,
  newId,
  pieces,
  type Step,
  saidText,
  troubleSteps,
  type Utterance,
} from '../protocol.ts';
import type { ModelRequest } from '../request.ts';
import type { Item } from '../script.ts';

type Delta = ChatCompletionChunk.Choice['delta'];
type FinishReason = ChatCompletion.Choice['finish_reason'];

/** What OpenRouter adds to OpenAI's protocol. */
export interface Dialect {
  readonly idPrefix: string;
  /** Before the first chunk. */
  readonly opening: readonly Step[];
  /** In every chunk and message. */
  readonly more: Readonly<Record<string, unknown>>;
  /** The delta of a thought; undefined where the protocol does not tell thoughts. */
  thought(item: Item): Readonly<Record<string, unknown>> | undefined;
  /** What a whole message tells of thoughts. */
  thoughts(items: readonly Item[]): Readonly<Record<string, unknown>>;
  usageChunk(request: ModelRequest): 'without choices' | 'with an empty choice' | undefined;
}

export const openaiDialect: Dialect = {
  idPrefix: 'chatcmpl-',
  opening: [],
  more: { service_tier: 'default', system_fingerprint: 'fp_scripted' },
  thought: () => undefined,
  thoughts: () => ({}),
  usageChunk: ({ body }) =>
    field(field(body, 'stream_options'), 'include_usage') === true ? 'without choices' : undefined,
};

const finishReasons: Readonly<Record<Utterance['stop'], FinishReason>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  refused: 'content_filter',
};

export function completionSteps(utterance: Utterance, dialect: Dialect): readonly Step[] {
  const { request, items, stop } = utterance;
  const usageChunk = dialect.usageChunk(request);
  const head = {
    id: newId(dialect.idPrefix),
    object: 'chat.completion.chunk' as const,
    created: CREATED,
    model: request.model,
    ...dialect.more,
    ...(usageChunk === 'without choices' ? { usage: null } : {}),
  };
  const textOf = (delta: Delta, finish_reason: FinishReason | null = null) =>
    data({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  const chunk = (delta: Delta, finish?: FinishReason) => frame(textOf(delta, finish));

  const steps: Step[] = [...dialect.opening, chunk({ role: 'assistant', content: '', refusal: null })];
  let calls = 0;
  for (const item of items) {
    if (item.type === 'wait' || item.type === 'error') steps.push(item);
    else if (item.type === 'trouble')
      steps.push(...troubleSteps(item.trouble, textOf({ content: 'broken' })));
    else if (item.type === 'text') steps.push(chunk({ content: item.text }));
    else if (item.type === 'call') steps.push(...callDeltas(item, calls++).map((delta) => chunk(delta)));
    else {
      const thought = dialect.thought(item);
      if (thought) steps.push(chunk({ content: '', ...thought }));
    }
  }
  steps.push(chunk({}, finishReasons[stop]));
  if (usageChunk) {
    const empty = {
      index: 0,
      delta: { role: 'assistant' as const, content: '' },
      logprobs: null,
      finish_reason: null,
    };
    const choices = usageChunk === 'without choices' ? [] : [empty];
    steps.push(frame(data({ ...head, choices, usage: usageOf(utterance) })));
  }
  return [...steps, frame('data: [DONE]\n\n')];
}

export function completionOf(utterance: Utterance, dialect: Dialect): ChatCompletion {
  const { request, items, stop } = utterance;
  const calls = items.filter((item) => item.type === 'call');
  const text = saidText(items, 'text');
  return {
    id: newId(dialect.idPrefix),
    object: 'chat.completion',
    created: CREATED,
    model: request.model,
    ...dialect.more,
    choices: [
      {
        index: 0,
        logprobs: null,
        finish_reason: finishReasons[stop],
        message: {
          role: 'assistant',
          content: text === '' && calls.length > 0 ? null : text,
          refusal: null,
          ...dialect.thoughts(items),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map(wholeCall) }),
        },
      },
    ],
    usage: usageOf(utterance),
  };
}

/** Fixed, so that equal replies are equal bytes. */
const CREATED = 1_767_322_800;

function callDeltas(item: Extract<Item, { type: 'call' }>, index: number): readonly Delta[] {
  const { id, type, function: said } = wholeCall(item);
  return [
    { tool_calls: [{ index, id, type, function: { name: said.name, arguments: '' } }] },
    ...pieces(said.arguments).map((text) => ({ tool_calls: [{ index, function: { arguments: text } }] })),
  ];
}

function wholeCall(item: Extract<Item, { type: 'call' }>) {
  return {
    id: item.id ?? newId('call_'),
    type: 'function' as const,
    function: { name: item.name, arguments: inputText(item) },
  };
}

function usageOf({ usage, items }: Utterance): NonNullable<ChatCompletion['usage']> {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: Math.ceil(saidText(items, 'reasoning').length / 4) },
  };
}

function data(chunk: ChatCompletionChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
