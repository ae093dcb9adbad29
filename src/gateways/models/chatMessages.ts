import type OpenAI from 'openai';
import { enforceableSchema, requiresAll, schemaName } from './enforceableSchema.ts';
import type { CompletionRequest, ModelMessage, ToolCall } from './gateway.ts';
import { toldBy } from './toldTools.ts';
import { callId, type ToolNames } from './toolNames.ts';

type Params = OpenAI.ChatCompletionCreateParamsStreaming;
type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

/** What a provider of Chat Completions adds to an answer that it gave. */
export type WithReasoning = (message: AssistantMessage) => Readonly<Record<string, unknown>>;

const toldTools = toldBy(({ description, input }, name) => ({
  type: 'function' as const,
  function: { name, description, parameters: { ...input } },
}));

/** What Chat Completions is asked, whoever speaks it. */
export function chatParams(
  request: CompletionRequest,
  names: ToolNames,
  withReasoning: WithReasoning,
): Params {
  const { model, system, tools = [], schema } = request;
  const messages = request.messages.flatMap((message) => messagesOf(message, names, withReasoning));
  return {
    model,
    stream: true,
    stream_options: { include_usage: true },
    messages:
      system === undefined || system === '' ? messages : [{ role: 'system', content: system }, ...messages],
    ...(tools.length === 0
      ? {}
      : {
          tools: toldTools(tools, names),
          ...choiceOf(request, names),
        }),
    ...(schema
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: {
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
): Pick<Params, 'tool_choice' | 'parallel_tool_calls'> {
  const one = oneCall === true ? { parallel_tool_calls: false } : {};
  if (!mustCall) return one;
  if (mustCall === 'any') return { tool_choice: 'required', ...one };
  return { tool_choice: { type: 'function', function: { name: names.given(mustCall.name) } }, ...one };
}

function messagesOf(
  message: ModelMessage,
  names: ToolNames,
  withReasoning: WithReasoning,
): OpenAI.ChatCompletionMessageParam[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(message.parts) }];
    case 'assistant':
      return assistantOf(message, names, withReasoning);
    case 'tool':
      return [{ role: 'tool', tool_call_id: callId(message.callId), content: resultText(message) }];
  }
}

type Content = Exclude<OpenAI.ChatCompletionUserMessageParam['content'], null | undefined>;

function contentOf(parts: Extract<ModelMessage, { role: 'user' }>['parts']): Content {
  const [first] = parts;
  // Servers that are only compatible take a list badly.
  if (parts.length === 1 && first?.type === 'text') return first.text;
  return parts.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.base64}` } },
  );
}

function assistantOf(
  message: AssistantMessage,
  names: ToolNames,
  withReasoning: WithReasoning,
): OpenAI.ChatCompletionMessageParam[] {
  const { text, toolCalls = [] } = message;
  if (text === '' && toolCalls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map((call) => callOf(call, names)) }),
      ...withReasoning(message),
    },
  ];
}

function callOf({ id, name, input }: ToolCall, names: ToolNames): OpenAI.ChatCompletionMessageToolCall {
  const called = { name: names.given(name), arguments: JSON.stringify(input) };
  return { id: callId(id), type: 'function', function: called };
}

/** Of protocols that cannot say that a tool failed. */
export function resultText({
  result,
  failed,
}: {
  readonly result: string;
  readonly failed: boolean;
}): string {
  return failed && !result.startsWith('Error') ? `Error: ${result}` : result;
}
