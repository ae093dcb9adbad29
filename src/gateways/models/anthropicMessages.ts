import type Anthropic from '@anthropic-ai/sdk';
import { enforceableSchema } from './enforceableSchema.ts';
import { anthropicFamily } from './families.ts';
import type { CompletionRequest, ModelMessage, Reasoning, ToolCall } from './gateway.ts';
import { field, numberOf } from './loose.ts';
import { toldBy } from './toldTools.ts';
import { callId, type ToolNames } from './toolNames.ts';

type Params = Anthropic.MessageCreateParamsStreaming;
type AssistantMessage = Extract<ModelMessage, { role: 'assistant' }>;

/** Of models of which nothing is known: what every model gives. */
const OUTPUT_OF_UNKNOWN = 8_192;
/** Longer answers have to be asked for. */
const LONGEST_OUTPUT = 32_000;
const THINKING_BUDGET = 8_192;

const toldTools = toldBy(({ description, input }, name) => ({
  name,
  description,
  input_schema: { ...input, type: 'object' as const },
}));

export function anthropicParams(request: CompletionRequest, names: ToolNames): Params {
  const { model, system, tools = [], schema, stop = [] } = request;
  // One of blanks alone is refused.
  const stopsAt = stop.filter((words) => words.trim() !== '');
  const thinking = thinkingOf(request);
  const output =
    request.maxOutputTokens ?? Math.min(anthropicFamily(model)?.output ?? OUTPUT_OF_UNKNOWN, LONGEST_OUTPUT);
  return {
    model,
    stream: true,
    // The budget counts as output.
    max_tokens: thinking?.type === 'enabled' ? Math.max(output, thinking.budget_tokens + 1_024) : output,
    messages: messagesOf(request.messages, names),
    ...(system === undefined || system === '' ? {} : { system }),
    ...(tools.length === 0
      ? {}
      : {
          tools: toldTools(tools, names),
          ...choiceOf(request, names),
        }),
    ...(stopsAt.length === 0 ? {} : { stop_sequences: stopsAt }),
    ...(schema
      ? { output_config: { format: { type: 'json_schema', schema: enforceableSchema(schema.schema) } } }
      : {}),
    ...(thinking ? { thinking } : {}),
  };
}

function choiceOf({ mustCall, oneCall }: CompletionRequest, names: ToolNames): Pick<Params, 'tool_choice'> {
  const one = oneCall === true ? { disable_parallel_tool_use: true } : {};
  if (mustCall === 'any') return { tool_choice: { type: 'any', ...one } };
  if (mustCall) return { tool_choice: { type: 'tool', name: names.given(mustCall.name), ...one } };
  return oneCall === true ? { tool_choice: { type: 'auto', ...one } } : {};
}

/**
 * Newer models do not show their thoughts unless asked to. The older ones, with a budget, insist that the turn they
 * are in began with thoughts of theirs: when another model began it, they go on without. No model thinks that has to
 * call a tool.
 */
function thinkingOf({ model, reasoning, messages, mustCall }: CompletionRequest) {
  const family = anthropicFamily(model);
  if (reasoning !== true || mustCall || !family) return undefined;
  if (family.thinking === 'adaptive') return { type: 'adaptive', display: 'summarized' } as const;
  const running = messages.findLast(({ role }) => role !== 'tool');
  const foreign = running?.role === 'assistant' && ourBlocks(running.reasoning).length === 0;
  return foreign ? undefined : ({ type: 'enabled', budget_tokens: THINKING_BUDGET } as const);
}

/** All results of one step have to come in one message, and before anything that the user says. */
function messagesOf(messages: readonly ModelMessage[], names: ToolNames): Anthropic.MessageParam[] {
  const result: { role: 'user' | 'assistant'; content: Anthropic.ContentBlockParam[] }[] = [];
  for (const message of messages) {
    const content = contentOf(message, names);
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = result.at(-1);
    // An empty message is refused.
    if (content.length === 0) continue;
    if (last?.role === role) last.content.push(...content);
    else result.push({ role, content });
  }
  return result;
}

function contentOf(message: ModelMessage, names: ToolNames): Anthropic.ContentBlockParam[] {
  switch (message.role) {
    case 'assistant':
      return assistantContent(message, names);
    case 'tool':
      return [
        {
          type: 'tool_result',
          tool_use_id: callId(message.callId),
          content: message.result,
          ...(message.failed ? { is_error: true } : {}),
        },
      ];
    case 'user':
      return message.parts.flatMap((part): Anthropic.ContentBlockParam[] => {
        if (part.type === 'text') return textBlocks(part.text);
        const source = { type: 'base64', media_type: part.mimeType, data: part.base64 } as const;
        return [{ type: 'image', source }];
      });
  }
}

/**
 * The blocks of an answer have to come back in their order, thoughts untouched. The thoughts are kept as they came;
 * between them stand marks for the text and the calls, whose content is in the message and nowhere twice.
 */
function assistantContent(
  { text, reasoning, toolCalls = [] }: AssistantMessage,
  names: ToolNames,
): Anthropic.ContentBlockParam[] {
  if (!reasoning && toolCalls.length === 0) return textBlocks(text);
  const content: Anthropic.ContentBlockParam[] = [];
  const calls = [...toolCalls];
  let rest = text;
  for (const block of ourBlocks(reasoning)) {
    if (isThoughts(block)) content.push(block);
    else if (field(block, 'type') === 'text') {
      const length = numberOf(field(block, 'length')) ?? 0;
      content.push(...textBlocks(rest.slice(0, length)));
      rest = rest.slice(length);
    } else {
      // Text that was added, or is longer than it was, may not come after the call.
      const call = calls.shift();
      if (call) content.push(toolUse(call, names));
    }
  }
  const firstCall = content.findIndex(({ type }) => type === 'tool_use');
  content.splice(firstCall === -1 ? content.length : firstCall, 0, ...textBlocks(rest));
  return [...content, ...calls.map((call) => toolUse(call, names))];
}

function ourBlocks(reasoning: Reasoning | undefined): readonly unknown[] {
  return reasoning?.provider === 'cloud-a' ? reasoning.blocks : [];
}

export function isThoughts(
  block: unknown,
): block is Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam {
  const type = field(block, 'type');
  return type === 'thinking' || type === 'redacted_thinking';
}

/** An empty text is refused. */
function textBlocks(text: string): Anthropic.TextBlockParam[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function toolUse({ id, name, input }: ToolCall, names: ToolNames): Anthropic.ToolUseBlockParam {
  return { type: 'tool_use', id: callId(id), name: names.given(name), input };
}
