import { resultText } from './chatMessages.ts';
import type { CompletionRequest, ModelMessage } from './gateway.ts';
import { toldBy } from './toldTools.ts';
import { callId, type ToolNames } from './toolNames.ts';

/** A runner cuts off what does not fit, from the front, and says nothing: it has to be given the room. */
const SMALLEST_CONTEXT = 4_096;
const LARGEST_CONTEXT = 131_072;
const ROOM_FOR_ANSWER = 1_024;
const TOKENS_OF_IMAGE = 1_500;
/** A cautious guess, for languages that need more tokens too. */
const LETTERS_OF_TOKEN = 3;

const toldTools = toldBy(({ description, input }, name) => {
  const as = { type: 'function', function: { name, description, parameters: input } };
  return { as, letters: lettersIn(as) };
});

export function ollamaParams(request: CompletionRequest, names: ToolNames, think: boolean | undefined) {
  const { model, system, tools = [], schema, temperature, maxOutputTokens, stop } = request;
  const messages = messagesOf(request.messages, names);
  const given =
    system === undefined || system === '' ? messages : [{ role: 'system', content: system }, ...messages];
  const told = toldTools(tools, names);
  const context = contextFor(given, told, request);
  return {
    model,
    stream: true,
    messages: given,
    ...(told.length === 0 ? {} : { tools: told.map(({ as }) => as) }),
    ...(schema ? { format: schema.schema } : {}),
    ...(think === undefined ? {} : { think }),
    options: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      ...(stop === undefined ? {} : { stop }),
      ...(context === undefined ? {} : { num_ctx: context }),
    },
  };
}

/** In steps, because every change makes the runner load the model again. Undefined where its own is enough. */
function contextFor(
  given: readonly unknown[],
  told: ReturnType<typeof toldTools>,
  { messages, maxOutputTokens = ROOM_FOR_ANSWER }: CompletionRequest,
) {
  const letters = told.reduce((sum, tool) => sum + tool.letters, lettersIn(given));
  const images = messages.flatMap((message) => (message.role === 'user' ? message.parts : []));
  const imageTokens = images.filter(({ type }) => type === 'image').length * TOKENS_OF_IMAGE;
  const tokens = letters / LETTERS_OF_TOKEN + imageTokens + maxOutputTokens;
  if (tokens <= SMALLEST_CONTEXT) return undefined;
  return Math.min(LARGEST_CONTEXT, 2 ** Math.ceil(Math.log2(tokens)));
}

/** In all texts of it, images left out. */
function lettersIn(given: unknown): number {
  let letters = 0;
  JSON.stringify(given, (key, value: unknown) => {
    if (key === 'images') return undefined;
    if (typeof value === 'string') letters += value.length;
    return value;
  });
  return letters;
}

function messagesOf(messages: readonly ModelMessage[], names: ToolNames): readonly unknown[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  const called = new Map(calls.map(({ id, name }) => [id, names.given(name)]));
  return messages.map((message) => {
    if (message.role === 'user') return userOf(message);
    if (message.role === 'assistant') return assistantOf(message, names);
    const name = called.get(message.callId);
    return {
      role: 'tool',
      content: resultText(message),
      tool_call_id: callId(message.callId),
      ...(name === undefined ? {} : { tool_name: name }),
    };
  });
}

function userOf({ parts }: Extract<ModelMessage, { role: 'user' }>): unknown {
  const images = parts.flatMap((part) => (part.type === 'image' ? part.base64 : []));
  const text = parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  return { role: 'user', content: text, ...(images.length === 0 ? {} : { images }) };
}

function assistantOf(message: Extract<ModelMessage, { role: 'assistant' }>, names: ToolNames): unknown {
  const { text, reasoning, toolCalls = [] } = message;
  return {
    role: 'assistant',
    content: text,
    ...(reasoning?.provider === 'local-runner' && reasoning.text !== '' ? { thinking: reasoning.text } : {}),
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map(({ id, name, input }) => ({
            id: callId(id),
            function: { name: names.given(name), arguments: input },
          })),
        }),
  };
}
