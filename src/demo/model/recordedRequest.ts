import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ProviderId } from '../../vocabulary.ts';
import { parsed } from './loose.ts';
import type { Protocol } from './protocol.ts';
import type { Endpoint, ModelRequest, Turn } from './request.ts';

interface Received {
  readonly protocol: Protocol;
  readonly endpoint: Endpoint;
  readonly incoming: IncomingMessage;
  readonly url: URL;
  readonly body: string;
  readonly response: ServerResponse;
}

export class RecordedRequest implements ModelRequest {
  readonly provider: ProviderId;
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  readonly apiKey: string | undefined;
  readonly model: string;
  readonly stream: boolean;
  readonly turns: readonly Turn[];
  readonly tools: readonly string[];
  readonly schema: unknown;
  readonly texts: readonly string[];
  readonly lastText: string;
  readonly ended: Promise<boolean>;
  readonly #gone = new AbortController();
  #closedEarly = false;
  #brokenOff = false;

  constructor({ protocol, endpoint, incoming, url, body, response }: Received) {
    this.provider = protocol.provider;
    this.endpoint = endpoint;
    this.method = incoming.method ?? '';
    this.path = url.pathname.slice(protocol.prefix.length);
    this.query = url.searchParams;
    this.headers = incoming.headers;
    this.body = body === '' ? undefined : parsed(body);
    this.apiKey = protocol.apiKey(incoming.headers);
    const asked = protocol.read(endpoint, this.body, this.path);
    this.model = asked.model;
    this.stream = asked.stream;
    this.turns = asked.turns;
    this.tools = asked.tools;
    this.schema = asked.schema;
    this.texts = asked.texts;
    this.lastText = asked.turns.findLast(({ role }) => role === 'user' || role === 'tool')?.text ?? '';
    this.ended = new Promise((resolve) => {
      // Comes in any case, and once only: after the answer, or when the connection is gone.
      response.once('close', () => {
        this.#closedEarly = !response.writableFinished && !this.#brokenOff;
        resolve(this.#closedEarly);
        this.#gone.abort();
      });
    });
  }

  get closedEarly(): boolean {
    return this.#closedEarly;
  }

  /** Nobody waits for an answer any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** It is the server that ends it before its time. */
  breakOff(): void {
    this.#brokenOff = true;
  }
}
