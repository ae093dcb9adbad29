import { EventEmitter, once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { heldPort } from './heldPort.ts';

interface Asked {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

const INITIALIZED = {
  protocolVersion: '2025-06-18',
  serverInfo: { name: 'foreign', version: '1' },
};

/** Answers a call: with a result, or in some way of its own. */
type OnCall = (name: string, input: unknown, response: ServerResponse) => unknown;

/** A tool server of somebody else, by hand and over a real socket, so that it can do what no good one would. */
export class ForeignServer {
  tools: readonly unknown[] = [
    { name: 'echo', description: 'Says it again', inputSchema: { type: 'object', properties: {} } },
  ];
  onCall: OnCall = (name, input) => ({
    content: [{ type: 'text', text: `${name} ${JSON.stringify(input)}` }],
  });
  /** Answers a call with a text of JSON. */
  onRawCall: (() => string) | undefined;
  /** Tells its news, where it has any. */
  onListen: ((response: ServerResponse) => void) | undefined;
  /** Answers everything in its own way. */
  onRequest: ((response: ServerResponse) => void) | undefined;
  /** Takes what it is answered, and has more to say or nothing. */
  onAnswer: ((response: ServerResponse) => void) | undefined;
  /** Answers with its tools when it likes. */
  onList: ((answer: () => void) => void) | undefined;
  capabilities: object = { tools: {} };
  /** Takes requests, and never answers. */
  isSilent = false;
  readonly arrivals = new EventEmitter();
  /** Headers of the requests. */
  readonly seen: Record<string, unknown>[] = [];
  #server: Server | undefined;
  /** Its own also while it is away. */
  #port = 0;

  static async start(): Promise<ForeignServer> {
    const server = new ForeignServer();
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`;
  }

  async listen(): Promise<void> {
    const server = createServer(async (request, response) => {
      this.seen.push(request.headers);
      this.arrivals.emit('request');
      if (this.isSilent) return;
      if (this.onRequest) return this.onRequest(response);
      if (request.method === 'POST') this.#answer(Object(await json(request)), response);
      else if (request.method === 'GET' && this.onListen) this.onListen(response);
      else response.writeHead(405).end();
    });
    this.#port ||= await heldPort();
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  #answer({ id, method, params = {} }: Asked, response: ServerResponse): void {
    if (id === undefined || method === undefined) {
      if (method === undefined) this.arrivals.emit('answer');
      if (method === undefined && this.onAnswer) this.onAnswer(response);
      else response.writeHead(202).end();
      return;
    }
    const reply = (body: object, status = 200): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    };
    if (method === 'initialize') reply({ result: { ...INITIALIZED, capabilities: this.capabilities } });
    else if (method === 'tools/list') {
      const { tools } = this;
      const answer = () => reply({ result: { tools } });
      if (this.onList) this.onList(answer);
      else answer();
    } else if (method !== 'tools/call') reply({ error: { code: -32_601, message: 'Method not found' } }, 404);
    else if (this.onRawCall) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${id},"result":${this.onRawCall()}}`);
    } else {
      const result = this.onCall(String(params.name), params.arguments, response);
      if (result !== undefined) reply({ result });
    }
  }
}
