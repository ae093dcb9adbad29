import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { ProviderId } from '../../vocabulary.ts';
import { anthropic } from './anthropic/protocol.ts';
import { embeddingOf } from './embedding.ts';
import { ollama } from './ollama/protocol.ts';
import { openai } from './openai/protocol.ts';
import { openrouter } from './openrouter/protocol.ts';
import { Playback } from './playback.ts';
import type { Protocol } from './protocol.ts';
import { RecordedRequest } from './recordedRequest.ts';
import type { ModelRequest } from './request.ts';
import { type Answer, Rules, type When } from './rules.ts';
import { fails, type Reply, sends } from './script.ts';

const protocols: readonly Protocol[] = [anthropic, openai, openrouter, ollama];

/**
 * Models that say what a test has them say, over a real socket, in the protocols of the four provider kinds.
 * Lists of models, embeddings and the like are answered without being scripted; a chat that is not scripted is
 * a bad request.
 */
export class ScriptedModels implements AsyncDisposable {
  /** In the order in which they came. */
  readonly requests: ModelRequest[] = [];
  readonly #rules = new Rules();
  readonly #keys = new Map<ProviderId, readonly string[]>();
  readonly #arrivals = new Set<() => void>();
  readonly #server: Server;
  readonly #record: boolean;
  #port = 0;

  private constructor(record: boolean) {
    this.#record = record;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
    // Nobody has to wait for a connection that a client keeps.
    this.#server.keepAliveTimeout = 60_000;
  }

  /** Without `record` no request is kept: for benchmarks, and for what runs for long. */
  static async start({ port = 0, record = true } = {}): Promise<ScriptedModels> {
    const models = new ScriptedModels(record);
    models.#port = port;
    await models.listen();
    return models;
  }

  /** What a client of this provider takes as its base URL, or host. */
  url(provider: ProviderId): string {
    const protocol = protocols.find((one) => one.provider === provider);
    return `http://127.0.0.1:${this.#port}${protocol?.base}`;
  }

  /** See `Rules`. Several replies are given one after the other, once each. */
  script(reply: Reply | readonly Reply[] | Answer, when?: When): this {
    this.#rules.add(reply, when);
    return this;
  }

  /** From now on this provider refuses any other key. */
  acceptKeys(provider: ProviderId, ...keys: readonly string[]): void {
    this.#keys.set(provider, keys);
  }

  /** As it was at the start, but for the connections that are open. */
  reset(): void {
    this.#rules.clear();
    this.#keys.clear();
    this.requests.length = 0;
  }

  /** The requests that were chats: lists of models are asked for whenever the service sees fit. */
  get chats(): readonly ModelRequest[] {
    return this.requests.filter(({ endpoint }) => endpoint === 'chat');
  }

  /** How many of the replies for a limited number of times nobody has asked for. */
  get unused(): number {
    return this.#rules.left;
  }

  /** Resolves with the request of this number, from 1, when it has come. */
  async request(number: number): Promise<ModelRequest> {
    return this.#come(() => this.requests[number - 1]);
  }

  /** As `request`, of those that were chats. */
  async chat(number: number): Promise<ModelRequest> {
    return this.#come(() => this.chats[number - 1]);
  }

  async #come(found: () => ModelRequest | undefined): Promise<ModelRequest> {
    for (;;) {
      const request = found();
      if (request) return request;
      await new Promise<void>((resolve) => this.#arrivals.add(resolve));
    }
  }

  /** Closes every connection and refuses new ones, until `listen`. */
  async refuse(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** On the same port as before. */
  async listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address !== null && typeof address === 'object') this.#port = address.port;
  }

  async stop(): Promise<void> {
    await this.refuse();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(incoming.url ?? '', 'http://models');
    const protocol = protocols.find(({ prefix }) => url.pathname.startsWith(`${prefix}/`));
    const endpoint = protocol?.endpoint(incoming.method ?? '', url.pathname.slice(protocol.prefix.length));
    if (!protocol || !endpoint) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
      return;
    }
    const body = incoming.method === 'GET' ? '' : await text(incoming);
    const request = new RecordedRequest({ protocol, endpoint, incoming, url, body, response });
    if (this.#record) this.requests.push(request);
    const arrivals = [...this.#arrivals];
    this.#arrivals.clear();
    for (const arrived of arrivals) arrived();
    await new Playback(protocol, request, response).play(this.#reply(protocol, request));
  }

  #reply(protocol: Protocol, request: ModelRequest): Reply {
    const refusal = this.#keyRefusal(request);
    if (refusal) return refusal;
    const scripted = this.#rules.reply(request) ?? protocol.unscripted(request);
    if (scripted) return scripted;
    if (request.endpoint === 'embed') return { kind: 'vectors', vectors: request.texts.map(embeddingOf) };
    return sends(400, {
      error: { message: `Nothing is scripted for ${request.model}: ${request.lastText}` },
    });
  }

  #keyRefusal({ provider, apiKey }: ModelRequest): Reply | undefined {
    const keys = this.#keys.get(provider);
    if (!keys || (apiKey !== undefined && keys.includes(apiKey))) return undefined;
    return fails(apiKey === undefined ? 'missing-key' : 'wrong-key');
  }
}
