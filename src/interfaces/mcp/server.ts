import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ToolCalls } from '../../application/chat/toolCalls.ts';
import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import type { Kvstore } from '../kvstore.ts';
import { Listener, type ListenerOptions } from '../rest/listener.ts';
import { mount } from '../rest/mount.ts';
import { send, sendEmpty, sendError, textPayload } from '../rest/replies.ts';
import { statuses } from '../rest/statuses.ts';
import type { Answers } from './answers.ts';
import { listening } from './listening.ts';

const PATH = '/mcp';
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

export interface McpOptions extends ListenerOptions {
  readonly registry: ToolRegistry;
  readonly calls: ToolCalls;
  readonly kvstore: Kvstore;
  /** All that the log may hold: topics are matched against them. */
  readonly eventTypes: readonly string[];
  readonly onFailure: (what: string, error: unknown) => void;
}

/** Carries tools over MCP. */
export class McpServer {
  readonly #options: McpOptions;
  readonly #listener: Listener;
  #loading: Promise<Answers> | undefined;
  #answers: Answers | undefined;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#listener = new Listener(options);
    const { app, gate, meterOf } = this.#listener;
    mount(app, listening(options), this.#listener);
    const guardedFor = (method: string) => ({
      needsKey: true,
      isApi: true,
      device: 'always' as const,
      limit: undefined,
      meter: meterOf(method, PATH),
    });
    const posted = guardedFor('POST');
    posted.meter.declare(200);
    app.post(
      PATH,
      { onRequest: gate.hook(() => posted), errorHandler: refuseBody },
      (request: FastifyRequest, reply: FastifyReply) => {
        if (request.body === undefined) refuseBody(new HarkError('INVALID_JSON'), request, reply);
        else this.#answer(request, reply).catch((error) => sendError(request, reply, error));
      },
    );
    for (const method of ['DELETE', 'PUT', 'PATCH', 'HEAD']) {
      const guarded = guardedFor(method);
      app.route({ method, url: PATH, onRequest: gate.hook(() => guarded), handler: refuseMethod });
    }
    this.#listener.refuseTheRest();
  }

  listen(port: number): Promise<number> {
    return this.#listener.listen(port);
  }

  /** Throws when it does not listen. */
  check(): void {
    if (!this.#listener.app.server.listening)
      throw new HarkError('CHECK_FAILED', { message: 'The tool server does not listen' });
  }

  async stop(): Promise<void> {
    await this.#answers?.close();
    await this.#listener.stop();
  }

  async #answer(request: FastifyRequest, { raw }: FastifyReply): Promise<void> {
    const { visit } = request;
    if (!visit) throw new TypeError('A request came past the gate');
    const answers = this.#answers ?? (await this.#load());
    await answers.answer(request, visit, raw);
  }

  /** The SDK comes with the first client. */
  async #load(): Promise<Answers> {
    this.#loading ??= import('./answers.ts').then(({ Answers }) => Answers.ready(this.#options));
    this.#answers = await this.#loading;
    return this.#answers;
  }
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply): void {
  if (request.visit) request.visit.headers.allow = 'GET, POST';
  sendEmpty(request, reply, 405);
}

/** Whoever speaks JSON-RPC is refused in it. */
function refuseBody(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!isHarkError(error, 'INVALID_JSON', 'VALIDATION_FAILED')) {
    sendError(request, reply, error);
    return;
  }
  const isParsed = error.code === 'VALIDATION_FAILED';
  const refusal = isParsed
    ? { code: INVALID_REQUEST, message: 'Invalid Request', data: error.body }
    : { code: PARSE_ERROR, message: 'Parse error' };
  const answer = { jsonrpc: '2.0', error: refusal, id: null };
  send(request, reply, statuses[error.code], textPayload(JSON.stringify(answer)));
}
