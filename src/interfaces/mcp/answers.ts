import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import {
  createMcpHandler,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type McpHttpHandler,
  type MessageClassification,
  PROTOCOL_VERSION_META_KEY,
  Server,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { ToolRegistry } from '../../sagas/chat/toolRegistry.ts';
import type { Visit } from '../rest/visit.ts';
import { CallsInFlight, callerOf } from './callsInFlight.ts';
import { Channel } from './channel.ts';
import { Exchange } from './exchange.ts';
import './knownRequests.ts';
import type { RateLimits } from '../rest/rateLimits.ts';
import { sendWebResponse, webRequest } from './sdkAnswer.ts';
import { type Callable, callTool, refusedForNow } from './toolCall.ts';
import { ToolTable } from './toolTable.ts';

const SERVER = { name: 'service', version: '1.0.0' };
const MODERN = '2026-07-28';
const LIST_KEPT_MS = 30_000;

type Era = MessageClassification['era'];

const always = {
  cacheHints: { 'tools/list': { ttlMs: LIST_KEPT_MS, cacheScope: 'private' as const } },
};
const ofModern = {
  ...always,
  capabilities: { tools: { listChanged: true } },
  supportedProtocolVersions: [MODERN],
};
const ofLegacy = { ...always, capabilities: { tools: { listChanged: true }, logging: {} } };

interface AnswerOptions extends Callable {
  readonly config: Pick<Config, 'SERVICE_NOTICE'>;
  readonly registry: Pick<ToolRegistry, 'get' | 'list' | 'onChange'>;
  readonly limits: Pick<RateLimits, 'take'>;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Answers MCP's clients, those of 2025 and those of 2026. What is asked again and again goes over channels of ours to
 * one server for each generation, and everything else the SDK's own way, to a server of its own each. Nothing of a
 * request is kept for the next.
 */
export class Answers {
  readonly #options: AnswerOptions;
  readonly #table: ToolTable;
  readonly #modern = new Channel({ era: 'modern', revision: MODERN });
  readonly #legacy = new Channel({ era: 'legacy' });
  readonly #inFlight = new CallsInFlight();
  /** Who asks by which of the web's requests. */
  readonly #visits = new WeakMap<Request, Visit>();
  readonly #handler: McpHttpHandler;

  private constructor(options: AnswerOptions) {
    this.#options = options;
    this.#table = new ToolTable(options.registry);
    this.#handler = createMcpHandler(({ era, requestInfo }) => {
      const visit = requestInfo && this.#visits.get(requestInfo);
      if (!visit) throw new TypeError('A request came past the gate');
      return this.#serverFor(era, () => visit);
    });
    options.registry.onChange(() => this.#handler.notify.toolsChanged());
  }

  static async ready(options: AnswerOptions): Promise<Answers> {
    const answers = new Answers(options);
    await Promise.all([answers.#serve('modern', answers.#modern), answers.#serve('legacy', answers.#legacy)]);
    return answers;
  }

  async answer({ body, headers }: FastifyRequest, visit: Visit, response: ServerResponse): Promise<void> {
    if (isUsual(body)) {
      if (isOf2026(body, headers) && this.#exchange(body, visit, response)) return;
      if (isOf2025(body, headers) && this.#exchangeCancellable(body, headers, visit, response)) return;
    } else if (isCancellation(body) && isOf2025(body, headers)) {
      this.#cancel(this.#inFlight.meantBy(body, callerOf(visit, headers['user-agent'])));
    }
    const request = webRequest(headers, response);
    this.#visits.set(request, visit);
    const answer = await this.#handler.fetch(request, body === undefined ? {} : { parsedBody: body });
    visit.end(answer.status);
    await sendWebResponse(answer, response, visit.headers);
  }

  /** Ends the streams of those who listen for changes. */
  close(): Promise<void> {
    return this.#handler.close();
  }

  /** A client of 2026 that goes away wants its call to end. False when the SDK's own way has to say what is wrong. */
  #exchange(message: JSONRPCRequest, visit: Visit, response: ServerResponse): boolean {
    const onGone = (exchange: Exchange) => this.#modern.cancel(exchange);
    return this.#modern.receive(message, new Exchange(message.id, visit, response, { onGone }));
  }

  /** One of 2025 says so in a message of its own, and may only have lost its connection: what it asked for is done. */
  #exchangeCancellable(
    message: JSONRPCRequest,
    headers: IncomingHttpHeaders,
    visit: Visit,
    response: ServerResponse,
  ): boolean {
    const exchange = new Exchange(message.id, visit, response, { onOver: () => over() });
    const over = this.#inFlight.add(exchange, callerOf(visit, headers['user-agent']));
    const isTaken = this.#legacy.receive(message, exchange);
    if (!isTaken) over();
    return isTaken;
  }

  #cancel(exchange: Exchange | undefined): void {
    if (!exchange) return;
    this.#legacy.cancel(exchange);
    exchange.endWithoutAnswer();
  }

  #serve(era: Era, channel: Channel): Promise<void> {
    return this.#serverFor(era, ({ mcpReq }) => channel.exchange(mcpReq.id).visit).connect(channel);
  }

  #serverFor(era: Era, visitOf: (context: ServerContext) => Visit): Server {
    const { onFailure, registry, limits, config } = this.#options;
    const notice = config.SERVICE_NOTICE === undefined ? {} : { instructions: config.SERVICE_NOTICE };
    const server = new Server(SERVER, { ...(era === 'modern' ? ofModern : ofLegacy), ...notice });
    server.onerror = (error) => onFailure('an exchange over MCP', error);
    server.setRequestHandler('tools/list', (_request, context) =>
      visitOf(context).isOfHark ? this.#table.ownListing() : this.#table.listing(),
    );
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const visit = visitOf(context);
      // A tool may ask a model, as a turn of chat does. Counted here, where each call of a batch comes by.
      const taken = await limits.take('chat', visit.client, visit.isKnown);
      if (!taken.allowed) return refusedForNow(taken);
      const result = await callTool(this.#options, params, visit, context);
      return server.projectCallToolResult(result, registry.get(params.name)?.output);
    });
    return server;
  }
}

/** What the SDK makes of it is looked at last: a check of its that fails costs ten times one that does not. */
function isUsual(body: unknown): body is JSONRPCRequest {
  const { method } = Object(body);
  return (method === 'tools/list' || method === 'tools/call') && isJSONRPCRequest(body);
}

function isCancellation(body: unknown): body is JSONRPCNotification {
  return Object(body).method === 'notifications/cancelled' && isJSONRPCNotification(body);
}

/** Whether the headers say what the message says. What else there may be to refuse, the server sees. */
function isOf2026({ method, params }: JSONRPCRequest, headers: IncomingHttpHeaders): boolean {
  return (
    params?._meta?.[PROTOCOL_VERSION_META_KEY] === MODERN &&
    headers['mcp-protocol-version'] === MODERN &&
    headers['mcp-method'] === method &&
    (method !== 'tools/call' || headers['mcp-name'] === params.name)
  );
}

function isOf2025({ params }: JSONRPCRequest | JSONRPCNotification, headers: IncomingHttpHeaders): boolean {
  const { accept = '', 'mcp-protocol-version': version } = headers;
  if (params?._meta && PROTOCOL_VERSION_META_KEY in params._meta) return false;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}
