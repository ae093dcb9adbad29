import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderId } from '../../vocabulary.ts';

/** What is asked for. The last six are Ollama's or OpenRouter's alone. */
export type Endpoint =
  | 'chat'
  | 'embed'
  | 'models'
  | 'credits'
  | 'key'
  | 'version'
  | 'running'
  | 'show'
  | 'pull';

/** What one party said, whatever the protocol calls it. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /** In base64. */
  readonly images: readonly string[];
  readonly toolCalls: readonly { readonly id?: string; readonly name: string; readonly input: unknown }[];
  /** Of a tool's result: the call's id, or its tool's name where the protocol has no ids. */
  readonly callId?: string;
}

/** What the protocols have in common in what they are asked. */
export interface Asked {
  readonly model: string;
  readonly stream: boolean;
  readonly turns: readonly Turn[];
  /** Names. */
  readonly tools: readonly string[];
  /** Of structured output. */
  readonly schema?: unknown;
  /** To embed. */
  readonly texts: readonly string[];
}

/** A request as it was recorded. */
export interface ModelRequest extends Asked {
  readonly provider: ProviderId;
  readonly endpoint: Endpoint;
  readonly method: string;
  /** Below the provider's own URL, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Parsed; undefined without one. */
  readonly body: unknown;
  /** As sent in the header of the provider. */
  readonly apiKey: string | undefined;
  /** What the user, or a tool, said last. */
  readonly lastText: string;
  /** The client went away before the answer had ended. */
  readonly closedEarly: boolean;
  /** Resolves when the answer has ended, or the client has gone: true when it went early. */
  readonly ended: Promise<boolean>;
}

export const nothingAsked: Asked = { model: '', stream: false, turns: [], tools: [], texts: [] };
