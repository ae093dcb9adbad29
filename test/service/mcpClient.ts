import assert from 'node:assert/strict';

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown> & {
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly tools?: readonly ListedTool[];
  };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** All that was told, the answer last. */
  readonly messages: readonly Message[];
}

const ACCEPT = 'application/json, text/event-stream';
const VERSION = '2026-07-28';
export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Speaks MCP by hand, so that a test sees what goes over the wire. */
export class McpByHand {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #id = 0;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  async post(body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Answer> {
    const answer = await fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: ACCEPT, ...this.#headers, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, messages: messagesIn(text) };
  }

  /** As clients of 2025 ask. */
  ask(method: string, params: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Answer> {
    return this.post({ jsonrpc: '2.0', id: ++this.#id, method, params }, {}, signal);
  }

  /** As clients of 2026 ask. */
  askModern(method: string, params: Record<string, unknown> = {}, signal?: AbortSignal): Promise<Answer> {
    const name = typeof params.name === 'string' ? { 'mcp-name': params.name } : {};
    const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': method, ...name };
    const { _meta, ...rest } = params;
    const body = { ...rest, _meta: { ...MODERN_META, ...Object(_meta) } };
    return this.post({ jsonrpc: '2.0', id: ++this.#id, method, params: body }, headers, signal);
  }

  async list(): Promise<readonly ListedTool[]> {
    const { messages } = await this.ask('tools/list');
    return messages[0]?.result?.tools ?? assert.fail('There is no list');
  }

  async call(name: string, args: Record<string, unknown> = {}) {
    const { messages } = await this.ask('tools/call', { name, arguments: args });
    const { result, error } = messages.at(-1) ?? {};
    assert(result, JSON.stringify(error));
    return { ...result, text: result.content?.[0]?.text ?? '' };
  }
}

function messagesIn(text: string): readonly Message[] {
  if (text.startsWith('{') || text.startsWith('[')) return [JSON.parse(text)].flat();
  return Array.from(text.matchAll(/^data: (.+)$/gm), ([, data = '']) => JSON.parse(data));
}
