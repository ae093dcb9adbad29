import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import {
  classifyInboundRequest,
  createMcpHandler,
  type InboundHttpRequest,
  type InboundModernRoute,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCRequest,
  type McpHttpHandler,
  type MessageClassification,
  Server,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { ToolRegistry } from '../../sagas/chat/toolRegistry.ts';
import type { Visit } from '../rest/visit.ts';
import { CallsInFlight, callerOf } from './callsInFlight.ts';
import { Exchange } from './exchange.ts';
import { sendWebResponse, webRequest } from './sdkAnswer.ts';
import { type Callable, callTool } from './toolCall.ts';
import { ToolTable } from './toolTable.ts';

const SERVER = { name: 'service', version: '1.0.0' };
const MODERN = '2026-07-28';
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
  readonly registry: Pick<ToolRegistry, 'get' | 'list' | 'onChange'>;
  readonly onFailure: (what: string, error: unknown) => void;
}

/**
 * Answers MCP's clients, those of 2025 and those of 2026, each request by a server of its own: nothing is kept from
 * one request for the next but what the tools are. What is asked again and again goes over exchanges of ours, and
 * everything else the SDK's own way.
 */
export class Answers {
  readonly #options: AnswerOptions;
  readonly #table: ToolTable;
  readonly #inFlight = new CallsInFlight();
  /** Who asks by which of the web's requests. */
  readonly #visits = new WeakMap<Request, Visit>();
  readonly #handler: McpHttpHandler;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#table = new ToolTable(options.registry);
    this.#handler = createMcpHandler(({ era, requestInfo }) => {
      const visit = requestInfo && this.#visits.get(requestInfo);
      if (!visit) throw new TypeError('A request came past the gate');
      return this.#serverFor(era, visit);
    });
    options.registry.onChange(() => this.#handler.notify.toolsChanged());
  }

  async answer({ body, headers }: FastifyRequest, visit: Visit, response: ServerResponse): Promise<void> {
    const outcome = classifyInboundRequest({ httpMethod: 'POST', ...namedIn(headers), body });
    if (outcome.kind === 'modern' && outcome.messageKind === 'request' && isPlain(outcome, headers))
      return this.#exchange(outcome.message, outcome.classification, visit, response);
    if (outcome.kind === 'legacy' && isTakenByAll(headers)) {
      if (isJSONRPCRequest(body) && isUsual(body))
        return this.#exchangeCancellable(body, headers, visit, response);
      if (isJSONRPCNotification(body) && body.method === 'notifications/cancelled')
        this.#inFlight.cancel(body, callerOf(visit, headers['user-agent']));
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

  async #exchange(
    message: JSONRPCRequest,
    classification: MessageClassification,
    visit: Visit,
    response: ServerResponse,
  ): Promise<void> {
    const exchange = new Exchange(classification, visit, response);
    await this.#serverFor(classification.era, visit).connect(exchange);
    exchange.receive(message);
  }

  async #exchangeCancellable(
    message: JSONRPCRequest,
    headers: IncomingHttpHeaders,
    visit: Visit,
    response: ServerResponse,
  ): Promise<void> {
    const exchange = new Exchange({ era: 'legacy' }, visit, response, () => over());
    const over = this.#inFlight.add(exchange, callerOf(visit, headers['user-agent']), message.id);
    await this.#serverFor('legacy', visit).connect(exchange);
    exchange.receive(message);
  }

  #serverFor(era: MessageClassification['era'], visit: Visit): Server {
    const { onFailure } = this.#options;
    const server = new Server(SERVER, era === 'modern' ? ofModern : ofLegacy);
    server.onerror = (error) => onFailure('an exchange over MCP', error);
    server.setRequestHandler('tools/list', () =>
      visit.isOfHark ? this.#table.ownListing() : this.#table.listing(),
    );
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const result = await callTool(this.#options, params, visit, context);
      return server.projectCallToolResult(result, this.#options.registry.get(params.name)?.output);
    });
    return server;
  }
}

function namedIn(headers: IncomingHttpHeaders): Omit<InboundHttpRequest, 'httpMethod' | 'body'> {
  const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((header) =>
    headers[header]?.toString(),
  );
  return {
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
    ...(name === undefined ? {} : { mcpNameHeader: name }),
  };
}

function isUsual({ method }: JSONRPCRequest): boolean {
  return method === 'tools/list' || method === 'tools/call';
}

/** Whether there is nothing in it that the SDK would refuse or read otherwise. */
function isPlain({ message, classification }: InboundModernRoute, headers: IncomingHttpHeaders): boolean {
  const { method, params } = message;
  return (
    classification.revision === MODERN &&
    headers['mcp-protocol-version'] === MODERN &&
    headers['mcp-method'] === method &&
    (method === 'tools/list' || (method === 'tools/call' && headers['mcp-name'] === params?.name))
  );
}

function isTakenByAll(headers: IncomingHttpHeaders): boolean {
  const { accept = '', 'mcp-protocol-version': version } = headers;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}
