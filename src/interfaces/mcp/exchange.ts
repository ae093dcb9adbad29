import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';
import type { Visit } from '../rest/visit.ts';

let exchanges = 0;

interface ExchangeEvents {
  /** Nothing more is sent: it was answered, or needs no answer any more. */
  readonly onOver?: () => void;
  /** The client went away before its answer. */
  readonly onGone?: (exchange: Exchange) => void;
}

/**
 * One request and its answer, straight over Node's own response: the SDK's way there, through the web's requests
 * and streams, costs three times as much as all the rest. The answer is JSON, or a stream where something is told
 * before it.
 */
export class Exchange {
  /** What it goes by here: two clients may name their requests alike. */
  readonly number = ++exchanges;
  /** As the client named it. */
  readonly id: RequestId;
  readonly visit: Visit;
  readonly #response: ServerResponse;
  readonly #events: ExchangeEvents;

  constructor(id: RequestId, visit: Visit, response: ServerResponse, events: ExchangeEvents = {}) {
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
    this.#events.onOver?.();
    if (this.#cannotSend) return;
    const response = this.#response;
    const text = JSON.stringify(message);
    if (response.headersSent) response.end(frame(text));
    else {
      const { headers } = this.visit;
      headers['content-type'] = 'application/json';
      headers['content-length'] = Buffer.byteLength(text);
      response.writeHead(200, headers);
      response.end(text);
    }
    this.visit.end(200);
  }

  /** The client said that it needs no answer any more: it gets none. */
  endWithoutAnswer(): void {
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
    this.#events.onGone?.(this);
  }
}

function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
