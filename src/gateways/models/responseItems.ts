import type {
  EasyInputMessage,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
} from 'openai/resources/responses/responses';
import { resultText } from './chatMessages.ts';
import { enforceableSchema, requiresAll, schemaName } from './enforceableSchema.ts';
import { openAiFamily } from './families.ts';
import type { CompletionRequest, ModelMessage, ToolCall } from './gateway.ts';
import { field, isRecord, listOf, textOf } from './loose.ts';
import { toldBy } from './toldTools.ts';
import { callId, type ToolNames } from './toolNames.ts';

type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

const toldTools = toldBy(({ description, input }, name) => ({
  type: 'function' as const,
  name,
  description,
  parameters: { ...input },
  strict: false,
}));

/**
 * What the Responses API is asked. Models that reason take no temperature, and those that do not refuse to be asked
 * for reasoning; `summaries` says whether thoughts may be asked for.
 */
export function responseParams(
  request: CompletionRequest,
  names: ToolNames,
  summaries: boolean,
): ResponseCreateParamsStreaming {
  const { model, system, messages, tools = [], schema, temperature, maxOutputTokens } = request;
  const family = openAiFamily(model);
  return {
    model,
    stream: true,
    store: false,
    input: messages.flatMap((message) => itemsOf(message, names)),
    ...(system === undefined || system === '' ? {} : { instructions: system }),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(family?.thinks
      ? { include: ['reasoning.encrypted_content'], ...reasoningOf(request, summaries) }
      : temperature === undefined
        ? {}
        : { temperature }),
    ...(tools.length === 0
      ? {}
      : {
          tools: toldTools(tools, names),
          ...choiceOf(request, names),
        }),
    ...(schema
      ? {
          text: {
            format: {
              type: 'json_schema',
              name: schemaName(schema.name),
              schema: enforceableSchema(schema.schema),
              strict: requiresAll(schema.schema),
            },
          },
        }
      : {}),
  };
}

function choiceOf(
  { mustCall, oneCall }: CompletionRequest,
  names: ToolNames,
): Pick<ResponseCreateParamsStreaming, 'tool_choice' | 'parallel_tool_calls'> {
  const one = oneCall === true ? { parallel_tool_calls: false } : {};
  if (!mustCall) return one;
  if (mustCall === 'any') return { tool_choice: 'required', ...one };
  return { tool_choice: { type: 'function', name: names.given(mustCall.name) }, ...one };
}

function reasoningOf(
  { model, reasoning }: CompletionRequest,
  summaries: boolean,
): Pick<ResponseCreateParamsStreaming, 'reasoning'> {
  const summary = summaries ? { summary: 'auto' as const } : {};
  if (reasoning === true) return { reasoning: { effort: 'medium', ...summary } };
  // Older ones reason in any case.
  return reasoning === false && openAiFamily(model)?.withTools === 'off'
    ? { reasoning: { effort: 'none' } }
    : {};
}

function itemsOf(message: ModelMessage, names: ToolNames): ResponseInputItem[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.parts.map(contentOf) }];
    case 'assistant':
      return assistantItems(message, names);
    case 'tool':
      return [{ type: 'function_call_output', call_id: callId(message.callId), output: resultText(message) }];
  }
}

function contentOf(part: Extract<ModelMessage, { role: 'user' }>['parts'][number]) {
  return part.type === 'text'
    ? { type: 'input_text' as const, text: part.text }
    : {
        type: 'input_image' as const,
        detail: 'auto' as const,
        image_url: `data:${part.mimeType};base64,${part.base64}`,
      };
}

/**
 * In the order in which they were said, of which the blocks tell: thoughts are refused that stand before nothing, or
 * before something else than they did.
 */
function assistantItems(message: AssistantMessage, names: ToolNames): ResponseInputItem[] {
  const { text, toolCalls = [], reasoning } = message;
  const items: ResponseInputItem[] = [];
  const calls = new Map(toolCalls.map((call) => [call.id, call]));
  let isSaid = text === '';
  for (const block of reasoning?.provider === 'cloud-b' ? reasoning.blocks : []) {
    const id = textOf(field(block, 'call_id')) ?? '';
    const call = calls.get(id);
    if (isThought(block)) items.push(block);
    else if (call && calls.delete(id)) items.push(callItem(call, names));
    else if (field(block, 'type') === 'message' && !isSaid) {
      isSaid = true;
      items.push(said(text, field(block, 'phase')));
    }
  }
  if (!isSaid) items.push(said(text));
  items.push(...Array.from(calls.values(), (call) => callItem(call, names)));
  return items.slice(0, items.findLastIndex((item) => item.type !== 'reasoning') + 1);
}

type Thought = Extract<ResponseInputItem, { type: 'reasoning' }>;

/** As it was told; all that is needed of it was looked at when it was kept. */
function isThought(block: unknown): block is Thought {
  return isRecord(block) && block.type === 'reasoning' && Array.isArray(block.summary);
}

function said(text: string, phase?: unknown): ResponseInputItem {
  const known: Pick<EasyInputMessage, 'phase'> =
    phase === 'commentary' || phase === 'final_answer' ? { phase } : {};
  return { role: 'assistant', content: text, ...known };
}

function callItem({ id, name, input }: ToolCall, names: ToolNames): ResponseInputItem {
  return {
    type: 'function_call',
    call_id: callId(id),
    name: names.given(name),
    arguments: JSON.stringify(input),
  };
}

/**
 * What is kept of an item of an answer to be given back: a thought as it is, of anything else only where it stood.
 * Undefined for what hark did not ask for.
 */
export function keptOf(item: unknown): Readonly<Record<string, unknown>> | undefined {
  switch (field(item, 'type')) {
    case 'reasoning':
      return {
        type: 'reasoning',
        id: textOf(field(item, 'id')) ?? '',
        summary: listOf(field(item, 'summary')),
        encrypted_content: textOf(field(item, 'encrypted_content')) ?? null,
      };
    case 'message': {
      const phase = textOf(field(item, 'phase'));
      return { type: 'message', ...(phase === undefined ? {} : { phase }) };
    }
    case 'function_call':
      return { type: 'function_call', call_id: textOf(field(item, 'call_id')) ?? '' };
    default:
      return undefined;
  }
}
