import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Config } from '../../config.ts';
import { HarkError } from '../../errors.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { ID_PATTERN } from '../operation.ts';
import { type Authentication, type KeyCheck, MOST_FAILURES } from './authentication.ts';
import type { Clients } from './client.ts';
import { Hosts, isLoadedElsewhere, isOwn, Origins } from './origins.ts';
import { type Limit, type RateLimits, refuseForNow, type Taken } from './rateLimits.ts';
import { closeWithoutAnswer, sendEmpty, sendError } from './replies.ts';
import type { RouteMeter } from './routeMeter.ts';
import { Visit } from './visit.ts';

export const MOST_BODY_BYTES = 1_048_576;

export interface GateOptions {
  readonly config: Config;
  readonly authentication: Authentication;
  readonly clients: Clients;
  readonly limits: RateLimits;
  /** False while the service starts or stops. */
  readonly isReady: () => boolean;
}

/** What the gate has to know of a route, or of a path that no route matched. */
export interface Guarded {
  readonly needsKey: boolean;
  /** For programs, and for scripts of pages that may ask: no page of another site loads it as it would a picture. */
  readonly isApi: boolean;
  /** While there is no key, our own pages alone may ask. */
  readonly isPowerful?: boolean;
  readonly limit: Limit | undefined;
  readonly meter: RouteMeter;
}

type Done = (error?: Error) => void;

/**
 * What every request passes before anything looks at its body: is it for this service, may the page ask that
 * sent it, who asks, is it one of too many. Nothing counts that is refused for where it comes from: any page of the
 * web could else use up what its reader's own address may ask.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #hosts: Hosts;
  readonly #origins: Origins;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#hosts = new Hosts(options.config);
    this.#origins = new Origins(options.config.CORS_ORIGIN);
  }

  hook(guardedFor: (request: FastifyRequest) => Guarded): onRequestHookHandler {
    return (request, reply, done) => {
      const pass = () => this.#pass(guardedFor(request), request, reply, done);
      // Hundreds may come in the same moment, and each of them begins something.
      if (hasTime()) pass();
      else void fairShare().then(pass);
    };
  }

  #pass(guarded: Guarded, request: FastifyRequest, reply: FastifyReply, done: Done): void {
    const { clients, authentication, limits, isReady } = this.#options;
    const visit = new Visit(request.raw, clients.of(request.raw), guarded.meter);
    request.visit = visit;
    try {
      if (Number(request.headers['content-length']) > MOST_BODY_BYTES) {
        closeWithoutAnswer(request);
        return;
      }
      if (request.method === 'OPTIONS') {
        this.#answerPreflight(visit, request, reply);
        return;
      }
      const keyCheck = authentication.look(request.headers, visit.client);
      visit.isKnown = keyCheck === 'known';
      const refusal = isReady() ? this.#checkWhereFrom(guarded, visit, request) : new HarkError('NOT_READY');
      if (refusal) {
        void this.#refuse(refusal, guarded, visit, request, reply);
        return;
      }
      const passOn = (taken: Taken | undefined) => {
        refuseTooMany(visit, taken);
        if (guarded.needsKey) this.#authenticate(keyCheck, visit, request.headers);
        visit.userId = this.#userOf(visit, request.headers);
        done();
      };
      // Counted before it is refused for its key: refusals have to be limited too.
      const taken = guarded.limit && limits.take(guarded.limit, visit.client, visit.isKnown);
      if (taken instanceof Promise) taken.then(passOn).catch((error) => sendError(request, reply, error));
      else passOn(taken);
    } catch (error) {
      sendError(request, reply, error);
    }
  }

  #checkWhereFrom(
    { isApi, isPowerful }: Guarded,
    visit: Visit,
    { headers }: FastifyRequest,
  ): HarkError | undefined {
    const { host, origin } = headers;
    if (!this.#hosts.serves(host)) return new HarkError('MISDIRECTED');
    if (origin === undefined)
      return isApi && isLoadedElsewhere(headers)
        ? refused('Requests from pages of other sites are refused')
        : undefined;
    if (!this.#origins.allows(origin, host)) return refused('Requests from this origin are refused');
    if (isPowerful && this.#options.config.SERVICE_API_KEY === undefined && !isOwn(origin, host))
      return refused('Requests from other origins need SERVICE_API_KEY to be set');
    Object.assign(visit.headers, this.#origins.headersFor(origin));
    return undefined;
  }

  /** Who is refused without being counted is told how much is left all the same. */
  async #refuse(
    refusal: HarkError,
    { limit }: Guarded,
    visit: Visit,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const left = limit && (await this.#options.limits.look(limit, visit.client, visit.isKnown));
    if (left) visit.headers['x-ratelimit-remaining'] = left.remaining;
    sendError(request, reply, refusal);
  }

  #authenticate(keyCheck: KeyCheck, visit: Visit, headers: IncomingHttpHeaders): void {
    const isDevice = headers['x-device-secret'] !== undefined || headers['x-device-id'] !== undefined;
    if (keyCheck === 'known' && !isDevice) return;
    if (keyCheck === 'stranger' && !isDevice)
      throw new HarkError('UNAUTHORIZED', { message: 'Missing API key' });
    const wait = this.#options.authentication.countFailure(visit.client);
    if (wait > 0)
      throw refuseForNow(visit.headers, MOST_FAILURES, wait, 'Too many failed attempts to authenticate');
    const message = isDevice ? 'Unknown device or wrong device secret' : 'Wrong API key';
    throw new HarkError('UNAUTHORIZED', { message });
  }

  /** The user that the request speaks for. Only who showed the key, or needs none, may name another. */
  #userOf(visit: Visit, headers: IncomingHttpHeaders): string {
    const named = headers['x-user-id'];
    if (named === undefined || !visit.isKnown) return this.#options.config.SERVICE_USER_ID;
    if (typeof named !== 'string' || !ID_PATTERN.test(named))
      throw new HarkError('INVALID_ID', { message: 'X-User-Id is not a valid id' });
    visit.namesUser = true;
    return named;
  }

  #answerPreflight(visit: Visit, request: FastifyRequest, reply: FastifyReply): void {
    if (!this.#hosts.serves(request.headers.host)) throw new HarkError('MISDIRECTED');
    Object.assign(visit.headers, this.#origins.preflight(request.headers));
    sendEmpty(request, reply, 204);
  }
}

function refuseTooMany({ headers }: Visit, taken: Taken | undefined): void {
  if (!taken) return;
  headers['x-ratelimit-remaining'] = taken.remaining;
  if (!taken.allowed)
    throw refuseForNow(headers, taken.capacity, Math.max(1, Math.ceil(taken.retryAfterMs / 1_000)));
}

function refused(message: string): HarkError {
  return new HarkError('FORBIDDEN', { message });
}
