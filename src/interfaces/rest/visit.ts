import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DeviceScope } from '../../application/deviceScope.ts';
import { readTraceparent } from '../../tracing/context.ts';
import type { Caller } from '../operation.ts';
import { ID_PATTERN } from '../operation.ts';
import type { Client } from './client.ts';
import type { RouteMeter } from './routeMeter.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly bytesField?: string;
  }
  interface FastifyRequest {
    visit: Visit | undefined;
  }
}

/** Made once: each answer that is sent ends a signal, and an error would take a trace of the stack each time. */
const LEFT = new DOMException('The caller is gone', 'AbortError');

/** One request on its way through the service: when it came, by which route, and who asks. */
export class Visit {
  readonly startedAt = performance.now();
  /** As the caller named it, or else where it stands in the caller's trace. */
  correlationId: string;
  readonly client: Client;
  /** Asked by another hark, which has tools of its own to offer. */
  readonly isOfHark: boolean;
  meter: RouteMeter;
  /** Headers of the answer, whatever it will be. */
  readonly headers: Record<string, string | number>;
  userId = '';
  namesUser = false;
  /** Showed the API key, or there is none, and asks by no device. */
  isKnown = false;
  /** Showed a wrong key. */
  hasGuessed = false;
  /** The device that has proved itself: what it may is all that is done. */
  device: DeviceScope | undefined;
  isOver = false;

  constructor({ headers }: IncomingMessage, client: Client, meter: RouteMeter) {
    const given = headers['x-correlation-id'];
    const isGiven = typeof given === 'string' && ID_PATTERN.test(given);
    this.correlationId = isGiven ? given : (readTraceparent(headers.traceparent) ?? randomUUID());
    this.client = client;
    this.isOfHark = headers['x-hark-via'] !== undefined;
    this.meter = meter;
    this.headers = {
      'x-correlation-id': this.correlationId,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      vary: 'Origin',
    };
  }

  /** Where a message that it carries stands in the caller's trace, unless the caller named the request. */
  join(traceparent: unknown, named: unknown): void {
    const read = named === undefined ? readTraceparent(traceparent) : undefined;
    if (read === undefined) return;
    this.correlationId = read;
    this.headers['x-correlation-id'] = read;
  }

  /** What others do at the same address who prove nothing does not count against it. */
  get isTrusted(): boolean {
    return this.isKnown || this.device !== undefined;
  }

  /** To be called with whatever ends the request; it is counted once. */
  end(status: number | 'closed'): void {
    if (this.isOver) return;
    this.isOver = true;
    this.meter.record(status, performance.now() - this.startedAt);
  }
}

/** What a request says of itself beside its input. */
export interface RequestExtras {
  readonly commandId?: string | undefined;
  readonly lastEventId?: string | undefined;
  readonly setupToken?: string | undefined;
}

/** The caller as operations see it. Most never ask for the signal, so it is made when one does. */
export class RestCaller implements Caller {
  readonly userId: string;
  readonly namesUser: boolean;
  readonly isKnown: boolean;
  readonly device?: DeviceScope;
  readonly correlationId: string;
  readonly commandId?: string;
  readonly lastEventId?: string;
  readonly setupToken?: string;
  readonly address: string;
  readonly isLoopback: boolean;
  readonly #response: ServerResponse;
  #signal: AbortSignal | undefined;

  constructor(
    visit: Visit,
    response: ServerResponse,
    { commandId, lastEventId, setupToken }: RequestExtras = {},
  ) {
    this.userId = visit.userId;
    this.namesUser = visit.namesUser;
    this.isKnown = visit.isKnown;
    this.correlationId = visit.correlationId;
    this.address = visit.client.limitedAs;
    this.isLoopback = visit.client.isLocal;
    this.#response = response;
    if (visit.device) this.device = visit.device;
    if (commandId !== undefined) this.commandId = commandId;
    if (lastEventId !== undefined) this.lastEventId = lastEventId;
    if (setupToken !== undefined) this.setupToken = setupToken;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#watch();
    return this.#signal;
  }

  #watch(): AbortSignal {
    if (this.#response.closed || this.#response.destroyed) return AbortSignal.abort();
    const gone = new AbortController();
    this.#response.once('close', () => gone.abort(LEFT));
    return gone.signal;
  }
}
