import type { ServerResponse } from 'node:http';
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageClassification,
  PerRequestHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Visit } from '../rest/visit.ts';

/**
 * One request and its answer, straight over Node's own response: the SDK's way there, through the web's requests
 * and streams, costs three times as much as all the rest. The answer is JSON, or a stream where something is told
 * before it. It is not closed after its answer: nothing is left to be ended, and to end it costs an error with its
 * stack.
 */
export class Exchange extends PerRequestHTTPServerTransport {
  readonly #response: ServerResponse;
  readonly #visit: Visit;
  readonly #classification: MessageClassification;
  readonly #onOver: () => void;

  constructor(
    classification: MessageClassification,
    visit: Visit,
    response: ServerResponse,
    onOver: () => void = () => {},
  ) {
    super({ classification });
    this.#onOver = onOver;
    this.#classification = classification;
    this.#visit = visit;
    this.#response = response;
    response.once('close', () => this.#gone());
  }

  /** To be called once a server is connected. */
  receive(message: JSONRPCRequest | JSONRPCNotification): void {
    this.onmessage?.(message, { classification: this.#classification });
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    const response = this.#response;
    // The server made it: it need not be looked at more closely, which costs two errors for each answer.
    const isLast = !('method' in message);
    if (isLast) this.#onOver();
    if (response.writableEnded || response.destroyed) return;
    const text = JSON.stringify(message);
    if (!isLast) {
      this.#beginStream();
      response.write(frame(text));
    } else if (response.headersSent) {
      response.end(frame(text));
    } else {
      const length = Buffer.byteLength(text);
      const { headers } = this.#visit;
      headers['content-type'] = 'application/json';
      headers['content-length'] = length;
      response.writeHead(200, headers);
      response.end(text);
    }
    if (isLast) this.#visit.end(200);
  }

  /** The client said that it needs no answer any more: it gets none. */
  endWithoutAnswer(): void {
    if (this.#response.writableEnded) return;
    this.#beginStream();
    this.#response.end();
    this.#visit.end(200);
    this.#onOver();
  }

  #beginStream(): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(200, {
      ...this.#visit.headers,
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
    });
  }

  /**
   * A client of 2026 that goes away wants its call to end. One of 2025 says so in a message of its own, and may only
   * have lost its connection: what it asked for is done.
   */
  #gone(): void {
    if (this.#visit.isOver) return;
    this.#visit.end('closed');
    if (this.#classification.era === 'modern') void this.close();
  }
}

function frame(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}
