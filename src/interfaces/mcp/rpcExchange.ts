import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import { encodingOf } from '../rest/replies.ts';
import type { Visit } from '../rest/visit.ts';

let exchanges = 0;

/** Who asks, and over what it is answered. */
export interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly visit: Visit;
  readonly response: ServerResponse;
}

interface ExchangeEvents {
  /** Nothing more is sent: it was answered, or needs no answer any more. */
  readonly onOver?: (answer?: JSONRPCMessage) => void;
  /** The client went away before its answer. */
  readonly onGone?: () => void;
  /** The client said that it needs no answer any more. */
  readonly onCancelled?: () => void;
}

/**
 * One request and its answer, straight over Node's own response: the SDK's way there, through the web's requests
 * and streams, costs three times as much as all the rest. The answer is JSON, or a stream where something is told
 * before it.
 */
export class RpcExchange {
  /** What it goes by here: two clients may name their requests alike. */
  readonly number = ++exchanges;
  /** As the client named it. */
  readonly id: RequestId;
  readonly visit: Visit;
  readonly #response: ServerResponse;
  readonly #events: ExchangeEvents;

  constructor(id: RequestId, { visit, response }: Asked, events: ExchangeEvents = {}) {
    this.id = id;
    this.visit = visit;
    this.#response = response;
    this.#events = events;
    response.once('close', () => this.#gone());
  }

  /** Tells of it before it is answered. */
  tell(message: JSONRPCMessage): void {
    if (this.#cannotSend) return;
    this.#beginStream();
    this.#response.write(frame(JSON.stringify(message)));
  }

  answer(message: JSONRPCMessage): void {
    this.#events.onOver?.(message);
    if (this.#cannotSend) return;
    const response = this.#response;
    const text = JSON.stringify(message);
    if (response.headersSent) response.end(frame(text));
    else {
      const { headers } = this.visit;
      headers['content-type'] = 'application/json';
      const length = Buffer.byteLength(text);
      headers['content-length'] = length;
      response.writeHead(200, headers);
      response.end(text, encodingOf(text, length));
    }
    this.visit.end(200);
  }

  /** Somebody else answers it. */
  leave(): void {
    this.#events.onOver?.();
  }

  /** The client said that it needs no answer any more: it gets none. */
  cancel(): void {
    this.#events.onCancelled?.();
    this.#events.onOver?.();
    if (this.#cannotSend) return;
    this.#beginStream();
    this.#response.end();
    this.visit.end(200);
  }

  get #cannotSend(): boolean {
    return this.#response.writableEnded || this.#response.destroyed;
  }

  #beginStream(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, {
      ...this.visit.headers,
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
  }

  #gone(): void {
    if (this.visit.isOver) return;
    this.visit.end('closed');
    this.#events.onGone?.();
  }
}

function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
