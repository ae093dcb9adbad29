import type { ServerResponse } from 'node:http';
import {
  type CallToolResult,
  createMcpHandler,
  isJSONRPCRequest,
  type JSONRPCRequest,
  type McpHttpHandler,
  type RequestId,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { ToolRegistry } from '../../application/chat/toolRegistry.ts';
import { Cancelling } from '../../application/timeout.ts';
import type { Config } from '../../config.ts';
import type { Visit } from '../rest/visit.ts';
import { CallsInFlight, Channel, callerOf } from './channel.ts';
import { type DirectCall, DirectCalls } from './directCalls.ts';
import { type Era, eraOf, isCancellation, MODERN } from './era.ts';
import { type Asked, RpcExchange } from './rpcExchange.ts';
import './era.ts';
import type { RateLimits } from '../rest/rateLimits.ts';
import { PlainServer, sendWebResponse, webRequest } from './plainServer.ts';
import { type Callable, callTool, refusedForNow, runTool } from './toolCall.ts';
import { ToolTable } from './toolTable.ts';

const SERVER = { name: 'service', title: 'hark', version: '1.0.0' };
const ofServer = { [SERVER_INFO_META_KEY]: SERVER };
const LIST_KEPT_MS = 30_000;

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
 * Answers MCP's clients, those of 2025 and those of 2026. A usual call of a tool goes straight to the tool. What else
 * is asked again and again goes over channels of ours to one server of the SDK for each generation, and everything
 * else the SDK's own way, to a server of its own each.
 */
export class Answers {
  readonly #options: AnswerOptions;
  readonly #table: ToolTable;
  readonly #modern = new Channel({ era: 'modern', revision: MODERN });
  readonly #legacy = new Channel({ era: 'legacy' });
  readonly #inFlight = new CallsInFlight();
  readonly #direct: DirectCalls;
  readonly #servers: Readonly<Record<Era, PlainServer>>;
  /** Who asks by which of the web's requests. */
  readonly #visits = new WeakMap<Request, Visit>();
  readonly #handler: McpHttpHandler;

  private constructor(options: AnswerOptions) {
    this.#options = options;
    this.#table = new ToolTable(options.registry);
    this.#direct = new DirectCalls(options.registry);
    const overChannel = (era: Era, channel: Channel) =>
      this.#serverFor(era, ({ mcpReq }) => channel.exchange(mcpReq.id).visit);
    this.#servers = {
      modern: overChannel('modern', this.#modern),
      legacy: overChannel('legacy', this.#legacy),
    };
    this.#handler = createMcpHandler(({ era, requestInfo }) => {
      const visit = requestInfo && this.#visits.get(requestInfo);
      if (!visit) throw new TypeError('A request came past the gate');
      return this.#serverFor(era, () => visit);
    });
    options.registry.onChange(() => this.#handler.notify.toolsChanged());
  }

  static async ready(options: AnswerOptions): Promise<Answers> {
    const answers = new Answers(options);
    const { modern, legacy } = answers.#servers;
    await Promise.all([modern.connect(answers.#modern), legacy.connect(answers.#legacy)]);
    return answers;
  }

  async answer({ body, headers }: FastifyRequest, visit: Visit, response: ServerResponse): Promise<void> {
    const asked = { headers, visit, response };
    visit.join(traceparentIn(body), headers['x-correlation-id']);
    const era = eraOf(body, headers);
    const call = era && this.#direct.read(body, era);
    if (call) return this.#callDirectly(call, era, asked);
    // What the SDK makes of it is looked at last: a check of its that fails costs ten times one that does not.
    if (era && isJSONRPCRequest(body)) {
      if (era === 'modern' ? this.#exchange(body, asked) : this.#exchangeCancellable(body, asked)) return;
    } else if (isCancellation(body, headers)) {
      this.#inFlight.meantBy(body, callerOf(visit, headers['user-agent']))?.cancel();
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

  async #callDirectly(call: DirectCall, era: Era, asked: Asked): Promise<void> {
    const cancelling = new Cancelling();
    const cancel = () => cancelling.abort();
    const exchange =
      era === 'modern'
        ? new RpcExchange(call.id, asked, { onGone: cancel })
        : this.#cancellable(call.id, asked, cancel);
    const context = { id: String(exchange.number), signal: cancelling };
    const { visit } = asked;
    const result = await this.#limited(visit, () => runTool(this.#options, call, visit, context));
    exchange.answer({ result: this.#told(result, era, call), jsonrpc: '2.0', id: call.id });
  }

  /** A tool may ask a model, as a turn of chat does. Counted here, where each call of a batch comes by. */
  async #limited({ client, isTrusted }: Visit, call: () => Promise<CallToolResult>): Promise<CallToolResult> {
    const taken = await this.#options.limits.take('chat', client, isTrusted);
    return taken.allowed ? call() : refusedForNow(taken);
  }

  /** As the SDK tells it. */
  #told(result: CallToolResult, era: Era, { name }: DirectCall): CallToolResult {
    const output = this.#options.registry.get(name)?.output;
    const told = this.#servers[era].projectCallToolResult(result, output);
    return era === 'modern' ? { ...told, resultType: 'complete', _meta: ofServer } : told;
  }

  /** A client of 2026 that goes away wants its call to end. False when the SDK's own way has to say what is wrong. */
  #exchange(message: JSONRPCRequest, asked: Asked): boolean {
    const exchange: RpcExchange = new RpcExchange(message.id, asked, {
      onGone: () => this.#modern.cancel(exchange),
      onOver: (answer) => {
        if (answer && 'result' in answer) this.#direct.take(message.params?._meta);
      },
    });
    return this.#modern.receive(message, exchange);
  }

  /** One of 2025 says so in a message of its own, and may only have lost its connection: what it asked for is done. */
  #exchangeCancellable(message: JSONRPCRequest, asked: Asked): boolean {
    const exchange: RpcExchange = this.#cancellable(message.id, asked, () => this.#legacy.cancel(exchange));
    const isTaken = this.#legacy.receive(message, exchange);
    if (!isTaken) exchange.leave();
    return isTaken;
  }

  #cancellable(id: RequestId, asked: Asked, onCancelled: () => void): RpcExchange {
    const exchange: RpcExchange = new RpcExchange(id, asked, { onCancelled, onOver: () => over() });
    const over = this.#inFlight.add(exchange, callerOf(asked.visit, asked.headers['user-agent']));
    return exchange;
  }

  #serverFor(era: Era, visitOf: (context: ServerContext) => Visit): PlainServer {
    const { onFailure, registry, config } = this.#options;
    const notice = config.SERVICE_NOTICE === undefined ? {} : { instructions: config.SERVICE_NOTICE };
    const server = new PlainServer(SERVER, { ...(era === 'modern' ? ofModern : ofLegacy), ...notice });
    server.onerror = (error) => onFailure('an exchange over MCP', error);
    server.setRequestHandler('tools/list', (_request, context) => {
      const { isOfHark, device } = visitOf(context);
      if (device) return this.#table.listingFor(device);
      return isOfHark ? this.#table.ownListing() : this.#table.listing();
    });
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const visit = visitOf(context);
      const result = await this.#limited(visit, () => callTool(this.#options, params, visit, context));
      return server.projectCallToolResult(result, registry.get(params.name)?.output);
    });
    return server;
  }
}

/** As clients hand it on in a message: a batch stands for itself. */
function traceparentIn(body: unknown): unknown {
  return Object(Object(Object(body).params)._meta).traceparent;
}
