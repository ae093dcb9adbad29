import type { RequestListener } from 'node:http';
import type { Server, ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { HarkError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { Metrics } from '../../metrics.ts';
import type { RequestStatistics } from '../../requestStatistics.ts';
import type { KnownDevices, LiveDevices } from '../liveDevices.ts';
import type { Authentication } from './authentication.ts';
import { Clients } from './client.ts';
import { type EventStreamOptions, EventStreams } from './eventStream.ts';
import { Gate } from './gate.ts';
import { parseJsonBytes } from './jsonBody.ts';
import type { RateLimits } from './rateLimits.ts';
import { errorBody, MOST_BODY_BYTES, sendError } from './replies.ts';
import { RouteMeter } from './routeMeter.ts';
import { acceptUpgrades, becomesWebSocket, type Upgrades } from './upgrades.ts';
import { Visit } from './visit.ts';

const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;
/** Less than the last answers have: who has not greeted by then holds up no stop. */
const HANDSHAKE_WITHIN_MS = 4_000;
/** Answers that are still being made when the service stops have so long. */
const LAST_ANSWERS_MS = 5_000;
/** As Fastify has it where it makes the server itself. */
const KEEP_ALIVE_MS = 72_000;
const LOOK_FOR_IDLE_MS = 25;
const TIMES = { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: 5_000 } as const;

export interface ListenerOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly statistics: RequestStatistics;
  readonly authentication: Authentication;
  readonly limits: RateLimits;
  readonly devices: KnownDevices;
  readonly liveDevices: LiveDevices;
  readonly streams?: EventStreamOptions;
  /** Speaks TLS with these, where they are there. */
  readonly tls?: Pick<ServerOptions, 'cert' | 'key'> | undefined;
  readonly upgrades?: Upgrades;
}

/** A port over which the service is asked, whatever is spoken on it: who may ask is the same for all of them. */
export class Listener {
  readonly app: FastifyInstance;
  readonly gate: Gate;
  readonly streams: EventStreams;
  /** Counts what no route matched. */
  readonly unmatched: (method: string) => RouteMeter;
  readonly #options: ListenerOptions;
  /** Connections over which nothing was asked yet: for Node they are not idle, but about to ask. */
  readonly #silent = new Set<Socket>();
  #isReady = true;

  constructor(options: ListenerOptions) {
    this.#options = options;
    const { log } = options;
    const clients = new Clients(options.config.SERVICE_TRUSTED_PROXIES);
    this.gate = new Gate({ ...options, clients, isReady: () => this.#isReady });
    this.streams = new EventStreams(log, options.streams);
    this.unmatched = unmatchedMeters(this.meterOf);
    this.app = createApp(log, clients, this.unmatched, options);
    if (options.upgrades) this.#accept(options.upgrades);
    if (options.config.SERVICE_TEST_NOW !== undefined) this.#tellTime(options.clock);
    const watch = (socket: Socket) => {
      this.#silent.add(socket);
      socket.once('close', () => this.#silent.delete(socket));
    };
    this.app.server.on(options.tls ? 'secureConnection' : 'connection', watch);
    for (const asked of ['request', 'upgrade'] as const)
      this.app.server.on(asked, ({ socket }) => this.#silent.delete(socket));
  }

  /** Node dates answers by the clock of the machine, and pages go by their date. */
  #tellTime(clock: Clock): void {
    this.app.addHook('onRequest', (_request, { raw }, done) => {
      raw.setHeader('date', new Date(clock()).toUTCString());
      done();
    });
  }

  #accept(upgrades: Upgrades): void {
    const onFault = (err: unknown, { correlationId }: Visit) =>
      this.#options.log.error({ err, correlationId }, 'a connection failed');
    acceptUpgrades(this.app, upgrades, { gate: this.gate, meterOf: this.meterOf, onFault });
  }

  readonly meterOf = (method: string, path: string): RouteMeter => {
    const { metrics, statistics } = this.#options;
    return new RouteMeter(method, path, metrics, statistics);
  };

  /** In a scope of its own, so that only what no route matched passes this gate. */
  refuseTheRest(): void {
    this.app.register(async (scope) => {
      const guarded = { needsKey: true, isApi: true, device: 'never' as const, limit: undefined };
      scope.addHook(
        'onRequest',
        this.gate.hook(({ method }) => ({ ...guarded, meter: this.unmatched(method) })),
      );
      scope.setNotFoundHandler((request, reply) => sendError(request, reply, new HarkError('NOT_FOUND')));
    });
  }

  /** Resolves with the port, which is a free one for 0. */
  async listen(port: number): Promise<number> {
    await this.app.listen({ port, host: this.#options.config.SERVICE_HOST });
    return portOf(this.app);
  }

  /** No new requests; those that are being answered are, and streams end. */
  async stop(): Promise<void> {
    this.#isReady = false;
    this.streams.closeEndless();
    const force = setTimeout(() => this.app.server.closeAllConnections(), LAST_ANSWERS_MS).unref();
    // A connection that gets its last answer from now on would be kept for the client's next request.
    const idle = setInterval(() => {
      this.app.server.closeIdleConnections();
      for (const socket of this.#silent) socket.destroy();
    }, LOOK_FOR_IDLE_MS);
    await this.app.close();
    clearInterval(idle);
    clearTimeout(force);
  }
}

function createApp(
  log: Logger,
  clients: Clients,
  unmatched: (method: string) => RouteMeter,
  { tls, upgrades }: ListenerOptions,
): FastifyInstance {
  const http = { ...TIMES, ...(upgrades ? { shouldUpgradeCallback: becomesWebSocket(upgrades) } : {}) };
  const app: FastifyInstance = Fastify({
    ...(tls ? { serverFactory: (handler: RequestListener) => createSecureServer(tls, http, handler) } : {}),
    logger: false,
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    bodyLimit: MOST_BODY_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Ids that are too long are refused by what checks ids, and not by the router.
    routerOptions: { maxParamLength: 16_384 },
    http,
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (_error, request, reply) => {
      request.visit = new Visit(request.raw, clients.of(request.raw), unmatched(request.method));
      sendError(request, reply, new HarkError('BAD_REQUEST', { message: 'Malformed path' }));
    },
  });
  app.decorate('harkLog', log);
  app.decorateRequest('visit', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ routeOptions }, body, done) => {
    try {
      done(
        null,
        parseJsonBytes(Buffer.isBuffer(body) ? body : Buffer.from(body), routeOptions.config.bytesField),
      );
    } catch (error) {
      done(error instanceof Error ? error : new TypeError('Not an error'));
    }
  });
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    sendError(request, reply, error);
  });
  return app;
}

/** Loaded where it is wanted: few starts are. */
function createSecureServer(
  tls: NonNullable<ListenerOptions['tls']>,
  http: ServerOptions,
  handler: RequestListener,
): Server {
  const { createServer } = process.getBuiltinModule('node:https');
  const times = { requestTimeout: REQUEST_WITHIN_MS, handshakeTimeout: HANDSHAKE_WITHIN_MS };
  const server = createServer({ ...tls, ...http, ...times, keepAliveTimeout: KEEP_ALIVE_MS }, handler);
  // Who speaks no TLS can be told nothing, and would wait for ever.
  return server.on('tlsClientError', (_error, socket) => socket.destroy());
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A caller may make up paths and methods; the series they are counted in must not grow with that. */
function unmatchedMeters(
  meterOf: (method: string, path: string) => RouteMeter,
): (method: string) => RouteMeter {
  const meters = new Map(METHODS.map((method) => [method, meterOf(method, 'unmatched')]));
  const other = meterOf('OTHER', 'unmatched');
  return (method) => meters.get(method) ?? other;
}

const MALFORMED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What is not HTTP never becomes a request: too long or malformed headers, smuggled line ends, slow senders. */
function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = MALFORMED[error.code ?? ''] ?? '400 Bad Request';
  const body = JSON.stringify(errorBody(new HarkError('BAD_REQUEST', { message: status.slice(4) })));
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; ` +
      `charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('The server does not listen');
  return address.port;
}

/** Operations bring their own: what Fastify would make of a schema, a hundred modules, is not even loaded. */
function noSchema(): never {
  throw new TypeError('Routes have no schemas of their own');
}
