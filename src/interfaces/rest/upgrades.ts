import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { HarkError } from '../../errors.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { ServerResponse } from '../../http.ts';
import type { Gate, Guarded } from './gate.ts';
import { refusalOf, sendError, toHarkError } from './replies.ts';
import type { RouteMeter } from './routeMeter.ts';
import { statuses } from './statuses.ts';
import type { Visit } from './visit.ts';

/** What asked to become a WebSocket, and may: it has passed the gate. */
export interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly visit: Visit;
}

/** Paths under which connections become WebSockets. */
export interface Upgrades {
  readonly paths: readonly string[];
  /** What the gate is to look at: browsers can set no headers, and show what they have elsewhere. */
  readonly headersOf: (request: IncomingMessage) => IncomingHttpHeaders;
  /** Whoever is refused is answered with what is thrown; `visit.end` is called with what else it comes to. */
  readonly open: (handshake: Handshake) => Promise<void>;
}

interface UpgradeOptions {
  readonly gate: Gate;
  readonly meterOf: (method: string, path: string) => RouteMeter;
  readonly onFault: (error: unknown, visit: Visit) => void;
}

/**
 * Anything else that is to be upgraded stays a request, as HTTP wants it: some clients offer HTTP/2 with each that they
 * make.
 */
export function becomesWebSocket({ paths }: Upgrades): (request: IncomingMessage) => boolean {
  const known = new Set(paths);
  return (request) =>
    request.method === 'GET' &&
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    known.has(pathOf(request));
}

/** The same gate stands before a WebSocket as before a request, and whoever does not pass it is answered alike. */
export function acceptUpgrades(app: FastifyInstance, upgrades: Upgrades, options: UpgradeOptions): void {
  const guarded = new Map<string, Guarded>();
  for (const path of upgrades.paths) {
    const meter = options.meterOf('GET', path);
    meter.declare(101);
    const rule = { needsKey: true, isApi: true, device: 'voice', limit: undefined, meter } as const;
    guarded.set(path, rule);
    app.get(path, { onRequest: options.gate.hook(() => rule) }, (request, reply) => {
      Object.assign(request.visit?.headers ?? {}, { upgrade: 'websocket', connection: 'upgrade' });
      sendError(request, reply, new HarkError('UPGRADE_REQUIRED'));
    });
  }
  app.server.on('upgrade', (request, socket, head) => {
    const rule = guarded.get(pathOf(request));
    if (!rule) return void socket.destroy();
    socket.on('error', () => socket.destroy());
    const visit = options.gate.visit(request, rule.meter);
    pass({ request, socket, head, visit }, rule, upgrades, options.gate).catch((error) => {
      const refusal = toHarkError(error);
      if (refusal.code === 'INTERNAL') options.onFault(error, visit);
      refuse(refusal, { request, socket, visit });
    });
  });
}

async function pass(
  handshake: Handshake,
  rule: Guarded,
  { headersOf, open }: Upgrades,
  gate: Gate,
): Promise<void> {
  if (!hasTime()) await fairShare();
  const { request, socket, visit } = handshake;
  await gate.admit(rule, visit, { headers: headersOf(request) });
  if (socket.destroyed) visit.end('closed');
  else await open(handshake);
}

function refuse(refusal: HarkError, { request, socket, visit }: Omit<Handshake, 'head'>): void {
  const status = statuses[refusal.code];
  visit.end(socket.writable ? status : 'closed');
  if (!socket.writable) return void socket.destroy();
  const { content, length } = refusalOf(refusal, pathOf(request), visit);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(request.socket);
  response.writeHead(status, { ...visit.headers, 'content-length': length });
  response.end(content, () => socket.end(() => socket.destroy()));
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
