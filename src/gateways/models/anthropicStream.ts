import type Anthropic from '@anthropic-ai/sdk';
import { isThoughts } from './anthropicMessages.ts';
import type { CompletionPart } from './gateway.ts';
import type { StreamReader } from './streaming.ts';
import { type ToolNames, toolCall } from './toolNames.ts';

type Finish = Extract<CompletionPart, { type: 'finish' }>;
type Event = Anthropic.RawMessageStreamEvent;

/** The block that is being said; never two at once. */
type Open =
  | { readonly type: 'text'; length: number }
  | { readonly type: 'thinking'; thinking: string; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; written: string };

export class AnthropicStream implements StreamReader<Event> {
  ended = false;
  readonly #names: ToolNames;
  /** Of what was said, in its order: thoughts as they were, marks for the rest. */
  readonly #blocks: unknown[] = [];
  #open: Open | undefined;
  #thoughts = '';
  #inputTokens = 0;
  #outputTokens = 0;
  #reason: Finish['reason'] | undefined;

  constructor(names: ToolNames) {
    this.#names = names;
  }

  read(event: Event, parts: CompletionPart[]): void {
    switch (event.type) {
      case 'content_block_delta':
        this.#delta(event.delta, parts);
        break;
      case 'content_block_start':
        this.#open = opened(event.content_block);
        break;
      case 'content_block_stop':
        this.#close(parts);
        break;
      case 'message_start':
        this.#count(event.message.usage);
        break;
      case 'message_delta':
        this.#reason = reasonOf(event.delta.stop_reason);
        this.#count(event.usage);
        break;
      case 'message_stop':
        this.ended = true;
    }
  }

  end(parts: CompletionPart[]): boolean {
    if (!this.ended || this.#reason === undefined) return false;
    const thought = this.#blocks.some(isThoughts);
    parts.push({
      type: 'finish',
      reason: this.#reason,
      usage: { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens },
      ...(thought ? { reasoning: { provider: 'cloud-a', text: this.#thoughts, blocks: this.#blocks } } : {}),
    });
    return true;
  }

  #delta(delta: Anthropic.RawContentBlockDelta, parts: CompletionPart[]): void {
    const open = this.#open;
    if (delta.type === 'text_delta') {
      if (open?.type === 'text') open.length += delta.text.length;
      if (delta.text !== '') parts.push({ type: 'text', text: delta.text });
    } else if (delta.type === 'thinking_delta') {
      if (open?.type === 'thinking') open.thinking += delta.thinking;
      this.#thoughts += delta.thinking;
      if (delta.thinking !== '') parts.push({ type: 'reasoning', text: delta.thinking });
    } else if (delta.type === 'signature_delta') {
      if (open?.type === 'thinking') open.signature += delta.signature;
    } else if (delta.type === 'input_json_delta') {
      if (open?.type === 'tool_use') open.written += delta.partial_json;
    }
  }

  #close(parts: CompletionPart[]): void {
    const open = this.#open;
    this.#open = undefined;
    if (open?.type === 'tool_use') {
      this.#blocks.push({ type: 'tool_use' });
      parts.push({ type: 'tool-call', call: toolCall(open.id, this.#names.ours(open.name), open.written) });
    } else if (open) this.#blocks.push(open);
  }

  /** Cumulative, and not all of it every time. What the cache gave was sent all the same. */
  #count(usage: Anthropic.Usage | Anthropic.MessageDeltaUsage): void {
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage;
    const input = (input_tokens ?? 0) + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
    this.#inputTokens = Math.max(this.#inputTokens, input);
    this.#outputTokens = Math.max(this.#outputTokens, output_tokens);
  }
}

function opened(block: Anthropic.ContentBlock): Open | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', length: 0 };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, written: '' };
    default:
      return undefined;
  }
}

function reasonOf(reason: Anthropic.StopReason | null): Finish['reason'] {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop';
    case 'tool_use':
      return 'tool-calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'refusal':
      return 'refused';
    default:
      return 'other';
  }
}
