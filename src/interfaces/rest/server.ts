import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { HarkError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import type { Metrics } from '../../metrics.ts';
import type { RequestStatistics } from '../../requestStatistics.ts';
import type { AnyOperation } from '../operation.ts';
import { Authentication } from './authentication.ts';
import { type EventStreamOptions, EventStreams } from './eventStream.ts';
import { Gate, MOST_BODY_BYTES } from './gate.ts';
import { parseJsonBody } from './jsonBody.ts';
import { mount } from './mount.ts';
import { mountPages } from './pages.ts';
import type { RateLimits } from './rateLimits.ts';
import { errorBody, sendError } from './replies.ts';
import { RouteMeter } from './routeMeter.ts';
import { Visit } from './visit.ts';

const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;
/** Answers that are still being made when the service stops have so long. */
const LAST_ANSWERS_MS = 5_000;
const LOOK_FOR_IDLE_MS = 25;

export interface RestOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly statistics: RequestStatistics;
  readonly limits: RateLimits;
  readonly operations: readonly AnyOperation[];
  readonly version: string;
  readonly streams?: EventStreamOptions;
}

export interface RestServer {
  readonly port: number;
  /** No new requests; those that are being answered are, and streams end. */
  stop(): Promise<void>;
}

/** Carries operations over HTTP. */
export async function startRest(options: RestOptions): Promise<RestServer> {
  const { config, log, clock, metrics, statistics, limits, operations } = options;
  let isReady = true;
  const meterOf = (method: string, path: string) => new RouteMeter(method, path, metrics, statistics);
  const gate = new Gate({
    config,
    isReady: () => isReady,
    authentication: new Authentication(config.SERVICE_API_KEY, clock),
    limits,
  });
  const streams = new EventStreams(log, options.streams);
  const unmatched = unmatchedMeters(meterOf);
  const app = createApp(log, unmatched);
  for (const operation of operations) mount(app, operation, { gate, streams, meterOf });
  mountPages(app, { gate, meterOf, unmatched, operations, version: options.version });
  await app.listen({ port: config.HEALTH_PORT, host: config.SERVICE_HOST });
  return {
    port: portOf(app),
    async stop() {
      isReady = false;
      streams.closeEndless();
      const force = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS).unref();
      // A connection that gets its last answer from now on would be kept for the client's next request.
      const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
      await app.close();
      clearInterval(idle);
      clearTimeout(force);
    },
  };
}

function createApp(log: Logger, unmatched: (method: string) => RouteMeter): FastifyInstance {
  const app: FastifyInstance = Fastify({
    logger: false,
    bodyLimit: MOST_BODY_BYTES,
    requestTimeout: REQUEST_WITHIN_MS,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Ids that are too long are refused by what checks ids, and not by the router.
    routerOptions: { maxParamLength: 16_384 },
    http: { headersTimeout: HEADERS_WITHIN_MS, connectionsCheckingInterval: 5_000 },
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (_error, request, reply) => {
      request.visit = new Visit(request.raw, unmatched(request.method));
      sendError(request, reply, new HarkError('BAD_REQUEST', { message: 'The path is malformed' }));
    },
  });
  app.decorate('harkLog', log);
  app.decorateRequest('visit', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseJsonBody(String(body)));
    } catch (error) {
      done(error instanceof Error ? error : new TypeError('Not an error'));
    }
  });
  app.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    sendError(request, reply, error);
  });
  return app;
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
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('The server does not listen');
  return address.port;
}
