import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Config } from '../../config.ts';
import { HarkError } from '../../errors.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import { ID_PATTERN } from '../operation.ts';
import { type Authentication, MOST_FAILURES } from './authentication.ts';
import { Hosts } from './hosts.ts';
import { Origins } from './origins.ts';
import { type Limit, type RateLimits, refuseForNow, type Taken } from './rateLimits.ts';
import { closeWithoutAnswer, sendEmpty, sendError } from './replies.ts';
import type { RouteMeter } from './routeMeter.ts';
import { Visit } from './visit.ts';

export const MOST_BODY_BYTES = 1_048_576;

export interface GateOptions {
  readonly config: Config;
  readonly authentication: Authentication;
  readonly limits: RateLimits;
  /** False while the service starts or stops. */
  readonly isReady: () => boolean;
}

/** What the gate has to know of a route, or of a path that no route matched. */
export interface Guarded {
  readonly needsKey: boolean;
  readonly limit: Limit | undefined;
  readonly meter: RouteMeter;
}

type Done = (error?: Error) => void;

/**
 * What every request passes before anything looks at its body: is it for this service, may the page ask that
 * sent it, is it one of too many, who asks.
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
    const visit = new Visit(request.raw, guarded.meter);
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
      // Counted before it is refused for anything else: refusals have to be limited too.
      const taken = guarded.limit && this.#options.limits.take(guarded.limit, visit.client);
      if (taken instanceof Promise)
        taken
          .then((late) => this.#passOn(guarded, visit, late, request, done))
          .catch((error) => sendError(request, reply, error));
      else this.#passOn(guarded, visit, taken, request, done);
    } catch (error) {
      sendError(request, reply, error);
    }
  }

  #passOn(
    { needsKey }: Guarded,
    visit: Visit,
    taken: Taken | undefined,
    request: FastifyRequest,
    done: Done,
  ): void {
    if (taken) visit.headers['x-ratelimit-remaining'] = taken.remaining;
    if (!this.#options.isReady()) throw new HarkError('NOT_READY');
    this.#checkWhereFrom(visit, request);
    if (taken && !taken.allowed)
      throw refuseForNow(visit.headers, taken.capacity, Math.max(1, Math.ceil(taken.retryAfterMs / 1_000)));
    visit.userId = this.#identify(needsKey, visit, request);
    done();
  }

  #checkWhereFrom(visit: Visit, { headers: { host, origin } }: FastifyRequest): void {
    if (!this.#hosts.serves(host)) throw new HarkError('MISDIRECTED');
    if (origin === undefined) return;
    if (!this.#origins.allows(origin, host))
      throw new HarkError('FORBIDDEN', { message: 'This origin may not ask' });
    Object.assign(visit.headers, this.#origins.headersFor(origin));
  }

  /** The user that the request speaks for. Only who showed the key, or needs none, may name another. */
  #identify(needsKey: boolean, visit: Visit, { headers }: FastifyRequest): string {
    const { client, headers: answered } = visit;
    const { config, authentication } = this.#options;
    const wait = needsKey ? authentication.waitFor(client) : 0;
    if (wait > 0)
      throw refuseForNow(answered, MOST_FAILURES, wait, 'Too many failed attempts to authenticate');
    const isTrusted = needsKey
      ? authentication.isTrusted(headers, client)
      : config.SERVICE_API_KEY === undefined;
    if (needsKey && !isTrusted) throw new HarkError('UNAUTHORIZED', { message: 'Missing API key' });
    const named = headers['x-user-id'];
    if (named === undefined || !isTrusted) return config.SERVICE_USER_ID;
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
