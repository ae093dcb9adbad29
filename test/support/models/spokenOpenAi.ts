import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A request as it came: the fields of a form, or of JSON. */
interface SpokenRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What was to be transcribed. */
  readonly file: Uint8Array | undefined;
}

type Answer = (request: SpokenRequest, response: ServerResponse) => void | Promise<void>;

/** The audio API of OpenAI, which says what a test has it say. */
export class SpokenOpenAi implements AsyncDisposable {
  readonly requests: SpokenRequest[] = [];
  readonly #server: Server;
  answer: Answer = (_request, response) => {
    response.writeHead(404).end('404 page not found');
  };

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<SpokenOpenAi> {
    const server = new SpokenOpenAi();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new TypeError('It is not there');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = incoming;
    const bytes = await buffer(incoming);
    const type = headers['content-type'] ?? '';
    const form = type.startsWith('multipart/')
      ? await new Response(bytes, { headers: { 'content-type': type } }).formData()
      : undefined;
    const file = form?.get('file');
    const request = {
      path: url,
      authorization: headers.authorization,
      fields: form ? Object.fromEntries(form) : JSON.parse(bytes.toString()),
      file: file instanceof Blob ? await file.bytes() : undefined,
    };
    this.requests.push(request);
    await this.answer(request, response);
  }
}

/** As OpenAI says that it has no such model. */
export function knowsNoModel(response: ServerResponse): void {
  const error = {
    message: 'The model does not exist',
    type: 'invalid_request_error',
    code: 'model_not_found',
  };
  response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
}

export function answersJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
