import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

/** Speaks as the service does, as far as a test has it say something. */
export class FakeService implements AsyncDisposable {
  readonly #server: Server;
  readonly requests: IncomingMessage[] = [];

  private constructor(answer: Answer) {
    this.#server = createServer((request, response) => {
      this.requests.push(request);
      answer(request, response, new URL(request.url ?? '', 'http://fake'));
    });
  }

  static async start(answer: Answer): Promise<FakeService> {
    const service = new FakeService(answer);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('Not listening');
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function envelope(position: number, data: unknown = { changes: {} }): Record<string, unknown> {
  return {
    position,
    id: `settings@${position}`,
    stream: 'settings',
    version: position,
    type: 'config:changed',
    at: 1_767_322_800_000 + position,
    userId: null,
    correlationId: 'c',
    causationId: null,
    data,
  };
}
