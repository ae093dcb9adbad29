import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../operation.ts';
import { ID_PATTERN } from '../operation.ts';
import { type Client, clientOf } from './client.ts';
import type { RouteMeter } from './routeMeter.ts';

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | undefined;
  }
}

/** One request on its way through the service: when it came, by which route, and who asks. */
export class Visit {
  readonly startedAt = performance.now();
  readonly correlationId: string;
  readonly client: Client;
  meter: RouteMeter;
  /** Headers of the answer, whatever it will be. */
  readonly headers: Record<string, string | number>;
  userId = '';
  isOver = false;

  constructor(request: IncomingMessage, meter: RouteMeter) {
    const given = request.headers['x-correlation-id'];
    this.correlationId = typeof given === 'string' && ID_PATTERN.test(given) ? given : randomUUID();
    this.client = clientOf(request);
    this.meter = meter;
    this.headers = {
      'x-correlation-id': this.correlationId,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      vary: 'Origin',
    };
  }

  /** To be called with whatever ends the request; it is counted once. */
  end(status: number | 'closed'): void {
    if (this.isOver) return;
    this.isOver = true;
    this.meter.record(status, performance.now() - this.startedAt);
  }
}

/** The caller as operations see it. Most never ask for the signal, so it is made when one does. */
export class RestCaller implements Caller {
  readonly userId: string;
  readonly correlationId: string;
  readonly commandId?: string;
  readonly lastEventId?: string;
  readonly address: string;
  readonly isLoopback: boolean;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(
    { userId, correlationId, client }: Visit,
    response: ServerResponse,
    { commandId, lastEventId }: { commandId?: string; lastEventId?: string } = {},
  ) {
    this.userId = userId;
    this.correlationId = correlationId;
    this.address = client.address;
    this.isLoopback = client.isLoopback;
    this.#response = response;
    if (commandId !== undefined) this.commandId = commandId;
    if (lastEventId !== undefined) this.lastEventId = lastEventId;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#watch();
    return this.#signal;
  }

  #watch(): AbortSignal {
    if (this.#response.closed || this.#response.destroyed) return AbortSignal.abort();
    const gone = new AbortController();
    this.#response.once('close', () => gone.abort());
    return gone.signal;
  }
}
