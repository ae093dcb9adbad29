import { randomUUID } from 'node:crypto';
import type { CompletionPart, ToolCall } from './gateway.ts';
import { field, isRecord, listOf, numberOf, textOf } from './loose.ts';
import type { StreamReader } from './streaming.ts';
import { toolCall } from './toolInput.ts';
import type { ToolNames } from './toolNames.ts';

export class OllamaStream implements StreamReader<unknown> {
  readonly #names: ToolNames;
  readonly #calls: ToolCall[] = [];
  #thoughts = '';
  #end: unknown;

  constructor(names: ToolNames) {
    this.#names = names;
  }

  read(line: unknown, parts: CompletionPart[]): void {
    const message = field(line, 'message');
    const thought = textOf(field(message, 'thinking'));
    if (thought) {
      this.#thoughts += thought;
      parts.push({ type: 'reasoning', text: thought });
    }
    const text = textOf(field(message, 'content'));
    if (text) parts.push({ type: 'text', text });
    const calls = field(message, 'tool_calls');
    if (calls !== undefined) {
      for (const said of listOf(calls)) {
        const call = this.#callOf(said);
        this.#calls.push(call);
        parts.push({ type: 'tool-call', call });
      }
    }
    if (field(line, 'done') === true) this.#end = line;
  }

  end(parts: CompletionPart[]): boolean {
    if (this.#end === undefined) return false;
    const reason = field(this.#end, 'done_reason');
    parts.push({
      type: 'finish',
      reason:
        reason === 'length'
          ? 'length'
          : this.#calls.length > 0
            ? 'tool-calls'
            : reason === 'stop'
              ? 'stop'
              : 'other',
      usage: {
        inputTokens: numberOf(field(this.#end, 'prompt_eval_count')) ?? 0,
        outputTokens: numberOf(field(this.#end, 'eval_count')) ?? 0,
      },
      ...(this.#thoughts === ''
        ? {}
        : { reasoning: { provider: 'local-runner', text: this.#thoughts, blocks: [] } }),
    });
    return true;
  }

  /** Older runners give a call no id. */
  #callOf(said: unknown): ToolCall {
    const called = field(said, 'function');
    const id = textOf(field(said, 'id')) || `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const name = this.#names.ours(textOf(field(called, 'name')) ?? '');
    const input = field(called, 'arguments');
    if (isRecord(input)) return { id, name, input };
    return toolCall(id, name, textOf(input) ?? JSON.stringify(input) ?? '');
  }
}
