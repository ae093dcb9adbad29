import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { Witness } from './sagas.ts';

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
}

/** Somebody who is told of events by HTTP, and answers as a test says: with 204 where it says nothing. */
export class Receiver {
  readonly url: string;
  readonly received = new Witness<Received>();
  readonly #server: Server;
  #replies: Reply[] = [];
  #usual: Reply = { status: 204 };

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}/hooks`;
    server.on('request', async (request, response) => {
      const { status, headers = {} } = this.#replies.shift() ?? this.#usual;
      const body = await text(request);
      response.writeHead(status, headers).end();
      const told = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      this.received.add({ headers: Object.fromEntries(told), body });
    });
  }

  static async start(): Promise<Receiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new TypeError('No port');
    return new Receiver(server, address.port);
  }

  /** The next answers, one after the other. */
  answer(...replies: readonly Reply[]): void {
    this.#replies = [...replies];
  }

  /** From now on, where nothing else is said. */
  usually(reply: Reply): void {
    this.#usual = reply;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
