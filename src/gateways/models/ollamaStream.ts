import { randomUUID } from 'node:crypto';
import type { CompletionPart, ToolCall } from './gateway.ts';
import { field, isRecord, listOf, numberOf, textOf } from './loose.ts';
import type { StreamReader } from './streaming.ts';
import { toolCall } from './toolInput.ts';
import type { ToolNames } from './toolNames.ts';

/** As far as the runner keeps to its protocol. */
interface Line {
  readonly message?: {
    readonly content?: unknown;
    readonly thinking?: unknown;
    readonly tool_calls?: unknown;
  };
  readonly done?: unknown;
}

export class OllamaStream implements StreamReader<Line> {
  readonly #names: ToolNames;
  readonly #calls: ToolCall[] = [];
  #thoughts = '';
  #end: Line | undefined;

  constructor(names: ToolNames) {
    this.#names = names;
  }

  read(line: Line, parts: CompletionPart[]): void {
    const { message } = line;
    if (message) {
      const { thinking, content, tool_calls: calls } = message;
      if (thinking && typeof thinking === 'string') {
        this.#thoughts += thinking;
        parts.push({ type: 'reasoning', text: thinking });
      }
      if (content && typeof content === 'string') parts.push({ type: 'text', text: content });
      if (calls !== undefined) this.#takeCalls(listOf(calls), parts);
    }
    if (line.done === true) this.#end = line;
  }

  get ended(): boolean {
    return this.#end !== undefined;
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

  #takeCalls(calls: readonly unknown[], parts: CompletionPart[]): void {
    for (const said of calls) {
      const call = this.#callOf(said);
      this.#calls.push(call);
      parts.push({ type: 'tool-call', call });
    }
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
