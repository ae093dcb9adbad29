import { randomUUID } from 'node:crypto';
import { ask } from './ask.ts';
import { errorText, jsonOf } from './boundedBody.ts';
import type { CompletionPart, ToolCall } from './gateway.ts';
import { field, isRecord, listOf, numberOf, parsed, textOf } from './loose.ts';
import { piecesOf } from './pieces.ts';
import { HttpError } from './providerError.ts';
import type { StreamReader } from './streaming.ts';
import { requestJson } from './toldTools.ts';
import { type ToolNames, toolCall } from './toolNames.ts';

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
    for (const given of calls) {
      const call = this.#callOf(given);
      this.#calls.push(call);
      parts.push({ type: 'tool-call', call });
    }
  }

  /** Older runners give a call no id. */
  #callOf(given: unknown): ToolCall {
    const called = field(given, 'function');
    const id = textOf(field(given, 'id')) || `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    const name = this.#names.ours(textOf(field(called, 'name')) ?? '');
    const input = field(called, 'arguments');
    if (isRecord(input)) return { id, name, input };
    return toolCall(id, name, textOf(input) ?? JSON.stringify(input) ?? '');
  }
}

const BLAMED = { providerId: 'local-runner' } as const;

/**
 * Ollama's HTTP API. Its own client is no help here: it cannot cancel what is not streamed, skips lines that are
 * not JSON, and writes them to the console, with all that was said in them.
 */
export class OllamaHttp {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, apiKey: string | undefined) {
    this.#base = (url.includes('://') ? url : `http://${url}`).replace(/(?<!\/)\/+$/, '');
    this.#headers = {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
  }

  async get(path: string, signal: AbortSignal): Promise<unknown> {
    return jsonOf(await this.#fetch(path, undefined, signal), BLAMED);
  }

  async post(path: string, body: object, signal: AbortSignal): Promise<unknown> {
    return JSON.parse(await (await this.#fetch(path, body, signal)).text());
  }

  /** One JSON value a line. */
  async stream(
    path: string,
    body: object,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<AsyncIterable<Uint8Array>> {
    return piecesOf(await this.#fetch(path, body, signal, traceparent));
  }

  async #fetch(
    path: string,
    body: object | undefined,
    signal: AbortSignal,
    traceparent?: string,
  ): Promise<Response> {
    const response = await ask(`${this.#base}${path}`, {
      headers: traceparent === undefined ? this.#headers : { ...this.#headers, traceparent },
      signal,
      ...(body === undefined ? {} : { method: 'POST', body: requestJson(body) }),
    });
    if (response.ok) return response;
    throw httpError(await errorText(response), response);
  }
}

function httpError(text: string, { status, headers }: Response): HttpError {
  return new HttpError(field(parsed(text), 'error') ?? text, status, headers);
}
