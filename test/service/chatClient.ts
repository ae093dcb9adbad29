import assert from 'node:assert/strict';
import { EventReader, type ServiceUnderTest } from '../support/service.ts';

/** What a test asks of one address. */
export const LIMITS = { API_RATE_LIMIT: '100000', CHAT_RATE_LIMIT: '100000' };

type Headers = Record<string, string>;
type Message = Record<string, unknown> & { readonly lastId: string; readonly type: string };

interface Reply {
  readonly text: string;
  readonly sessionId?: string;
  readonly platform: string;
  readonly metadata: Record<string, unknown>;
}

interface History {
  readonly sessionId: string;
  readonly sessionExpired: boolean;
  readonly messages: readonly { role: string; content: string; timestamp: number }[];
  readonly count: number;
}

/** Talks to a service as clients do. */
export class ChatClient {
  readonly #service: ServiceUnderTest;

  constructor(service: ServiceUnderTest) {
    this.#service = service;
  }

  say(body: unknown, headers: Headers = {}) {
    return this.#service.ask<Reply>('POST', '/api/chat', { body, headers });
  }

  async history(id: string, headers: Headers = {}): Promise<History> {
    const { status, body } = await this.#service.get<History>(`/api/chat/history/${id}`, headers);
    assert.equal(status, 200);
    return body;
  }

  end(id: string, headers: Headers = {}) {
    return this.#service.ask('DELETE', `/api/chat/sessions/${id}`, { headers });
  }

  cancel(turnId: string) {
    return this.#service.ask('DELETE', `/api/chat/stream/${turnId}`);
  }

  async stream(body: unknown, headers: Headers = {}): Promise<TurnStream> {
    return new TurnStream(await EventReader.open(`${this.#service.url}/api/chat/stream`, headers, body));
  }

  async follow(turnId: string, after?: string): Promise<TurnStream> {
    const headers = after === undefined ? {} : { 'last-event-id': after };
    return new TurnStream(await EventReader.open(`${this.#service.url}/api/chat/stream/${turnId}`, headers));
  }

  /** Listens to a topic from now on, for the first event that is wanted. */
  async topic(
    name: string,
    headers: Headers = {},
  ): Promise<(isWanted: (data: unknown) => boolean) => Promise<unknown>> {
    const reader = await EventReader.open(`${this.#service.url}/api/events/stream?topics=${name}`, headers);
    return async (isWanted) => {
      for (;;) {
        const message = await reader.next();
        assert.ok(message, 'the stream of events ended');
        const { data } = message.data === undefined ? {} : JSON.parse(message.data);
        if (data === undefined || !isWanted(data)) continue;
        reader.close();
        return data;
      }
    };
  }
}

/** What is told of a turn, as it comes. */
export class TurnStream {
  readonly turnId: string;
  readonly #reader: EventReader;

  constructor(reader: EventReader) {
    this.#reader = reader;
    this.turnId = reader.headers.get('x-turn-id') ?? '';
    assert.match(this.turnId, /^[\w-]{1,128}$/);
  }

  async next(): Promise<Message | undefined> {
    for (;;) {
      const message = await this.#reader.next();
      if (!message) return undefined;
      if (message.data !== undefined) return { ...JSON.parse(message.data), lastId: message.id ?? '' };
    }
  }

  async until(isLast: (message: Message) => boolean): Promise<Message[]> {
    const messages: Message[] = [];
    for (;;) {
      const message = await this.next();
      assert.ok(message, `the stream ended after ${JSON.stringify(messages)}`);
      messages.push(message);
      if (isLast(message)) return messages;
    }
  }

  /** Until the service ends it. */
  async rest(): Promise<Message[]> {
    const messages: Message[] = [];
    for (let message = await this.next(); message; message = await this.next()) messages.push(message);
    return messages;
  }

  close(): void {
    this.#reader.close();
  }
}
