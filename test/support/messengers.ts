import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Witness } from './sagas.ts';

interface Request {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (response: ServerResponse) => void;

/** A server that speaks as ntfy and as Telegram's API for bots do, unless a test says otherwise. */
export class Messengers {
  readonly url: string;
  readonly asked = new Witness<Request>();
  readonly #server: Server;
  #answers: Answer[] = [];
  #usual: Answer | undefined;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', async (request, response) => {
      const said = await text(request);
      const body = JSON.parse(said);
      const { url: path = '', headers } = request;
      this.asked.add({ path, authorization: headers.authorization, body });
      const answer = this.#answers.shift() ?? this.#usual;
      if (answer) return answer(response);
      const [, method] = /^\/bot[^/]+\/(\w+)$/.exec(path) ?? [];
      json(200, method === undefined ? ntfySaid(body) : telegramSaid(method, body))(response);
    });
  }

  static async start(): Promise<Messengers> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Messengers(server, Object(server.address()).port);
  }

  /** The next answers, one after the other. */
  answer(...answers: readonly Answer[]): void {
    this.#answers = [...answers];
  }

  /** From now on, where nothing else is said; as the services would, where nothing is given. */
  usually(answer?: Answer): void {
    this.#usual = answer;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** What it says does not end. */
export function endless(status: number): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).write('{"id": "abc');
  };
}

function ntfySaid({ topic, title, message }: Request['body']) {
  return {
    id: 'hwQ2YpKdmg',
    time: 1_700_000_000,
    expires: 1_700_043_200,
    event: 'message',
    topic,
    title,
    message,
  };
}

function telegramSaid(method: string, { chat_id: id, text: said }: Request['body']) {
  if (method !== 'sendMessage') return { ok: false, error_code: 404, description: 'Not Found' };
  return { ok: true, result: { message_id: 7, chat: { id }, date: 1_700_000_000, text: said } };
}
