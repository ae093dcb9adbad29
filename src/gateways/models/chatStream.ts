import type OpenAI from 'openai';
import { chatParams, type WithReasoning } from './chatMessages.ts';
import { EventFrames } from './frames.ts';
import type { CompletionPart, CompletionRequest, Reasoning } from './gateway.ts';
import { field, textOf } from './loose.ts';
import type { OpenAiConnection } from './openaiConnection.ts';
import { type StreamReader, streamParts } from './streaming.ts';
import { ToolNames, toolCall } from './toolNames.ts';

type Params = OpenAI.ChatCompletionCreateParamsStreaming;

/** In what the providers differ that speak Chat Completions. */
export interface ChatDialect {
  readonly paramsOf: (request: CompletionRequest) => Partial<Params>;
  readonly withReasoning: WithReasoning;
  readonly keeper: () => ReasoningKeeper;
}

/** One answer over Chat Completions. */
export function chatCompletion(
  connection: OpenAiConnection,
  { paramsOf, withReasoning, keeper }: ChatDialect,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncIterable<CompletionPart> {
  const names = new ToolNames(request);
  return streamParts(
    {
      blamed: connection.blamed(request.model),
      timeouts: connection.timeouts(request.timeouts),
      frames: new EventFrames(),
      reader: new ChatStream(names, keeper()),
      open: async (ended) => {
        const params: Params = { ...chatParams(request, names, withReasoning), ...paramsOf(request) };
        return (await connection.prepared('/chat/completions')).post(params, ended, request.traceparent);
      },
    },
    signal,
  );
}

type Finish = Extract<CompletionPart, { type: 'finish' }>;
type Chunk = OpenAI.ChatCompletionChunk;
type Delta = OpenAI.ChatCompletionChunk.Choice.Delta;
type CallPiece = OpenAI.ChatCompletionChunk.Choice.Delta.ToolCall;

/** How one provider of Chat Completions tells and takes back its reasoning. */
export interface ReasoningKeeper {
  keep(delta: Delta): void;
  kept(text: string): Reasoning | undefined;
}

interface Written {
  id: string;
  name: string;
  text: string;
}

class ChatStream implements StreamReader<Chunk> {
  /** Said by a frame that is no chunk: usage comes after the reason. */
  readonly ended = false;
  readonly #names: ToolNames;
  readonly #keeper: ReasoningKeeper;
  readonly #calls = new Map<number, Written>();
  #thoughts = '';
  #refused = false;
  #usage: OpenAI.CompletionUsage | undefined;
  #reason: string | undefined;

  constructor(names: ToolNames, keeper: ReasoningKeeper) {
    this.#names = names;
    this.#keeper = keeper;
  }

  read(chunk: Chunk, parts: CompletionPart[]): void {
    if (chunk.usage) this.#usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (!choice) return;
    if (choice.finish_reason) this.#reason = choice.finish_reason;
    const { delta } = choice;
    if (!delta) return;
    const thought = thoughtIn(delta);
    if (thought) {
      this.#thoughts += thought;
      parts.push({ type: 'reasoning', text: thought });
    }
    this.#keeper.keep(delta);
    if (delta.content) parts.push({ type: 'text', text: delta.content });
    if (delta.refusal) {
      this.#refused = true;
      parts.push({ type: 'text', text: delta.refusal });
    }
    if (delta.tool_calls) for (const call of delta.tool_calls) this.#write(call);
  }

  end(parts: CompletionPart[]): boolean {
    if (this.#reason === undefined) return false;
    for (const { id, name, text } of this.#calls.values()) {
      parts.push({ type: 'tool-call', call: toolCall(id, this.#names.ours(name), text) });
    }
    const reasoning = this.#keeper.kept(this.#thoughts);
    parts.push({
      type: 'finish',
      reason: this.#finishReason(this.#reason),
      usage: {
        inputTokens: this.#usage?.prompt_tokens ?? 0,
        outputTokens: this.#usage?.completion_tokens ?? 0,
      },
      ...(reasoning ? { reasoning } : {}),
    });
    return true;
  }

  #write({ index, id, function: called }: CallPiece): void {
    const written = this.#calls.get(index) ?? { id: '', name: '', text: '' };
    this.#calls.set(index, written);
    // Some servers repeat both with every piece.
    if (id) written.id = id;
    if (called?.name) written.name = called.name;
    if (called?.arguments) written.text += called.arguments;
  }

  /** Some models stop as if they were done, and have called tools. */
  #finishReason(reason: string): Finish['reason'] {
    if (this.#refused || reason === 'content_filter') return 'refused';
    if (reason === 'length') return 'length';
    if (this.#calls.size > 0) return 'tool-calls';
    return reason === 'stop' ? 'stop' : 'other';
  }
}

/** OpenRouter's field, and the one of servers that speak OpenAI's protocol; OpenAI itself tells no thoughts. */
function thoughtIn(delta: Delta): string | undefined {
  return textOf(field(delta, 'reasoning')) ?? textOf(field(delta, 'reasoning_content'));
}
