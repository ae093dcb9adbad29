import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { type DeviceAccess, type DeviceScope, mayDevice, outOfScope } from '../../application/deviceScope.ts';
import type { Config } from '../../config.ts';
import { HarkError, isHarkError } from '../../errors.ts';
import { fairShare, hasTime } from '../../fairShare.ts';
import type { KnownDevices, LiveDevices, ProofRefusal, UnderWay } from '../liveDevices.ts';
import { ID_PATTERN } from '../operation.ts';
import { type Authentication, type KeyCheck, MOST_FAILURES } from './authentication.ts';
import type { Clients } from './client.ts';
import { Hosts, isLoadedElsewhere, isOwn, Origins } from './origins.ts';
import { type Limit, type RateLimits, refuseForNow, type Taken } from './rateLimits.ts';
import { closeWithoutAnswer, MOST_BODY_BYTES, sendEmpty, sendError } from './replies.ts';
import type { RouteMeter } from './routeMeter.ts';
import { statuses } from './statuses.ts';
import { Visit } from './visit.ts';

export interface GateOptions {
  readonly config: Config;
  readonly authentication: Authentication;
  readonly clients: Clients;
  readonly limits: RateLimits;
  readonly devices: KnownDevices;
  readonly liveDevices: LiveDevices;
  /** False while the service starts or stops. */
  readonly isReady: () => boolean;
}

/** What the gate has to know of a route, or of a path that no route matched. */
export interface Guarded {
  readonly needsKey: boolean;
  /** What a device may of it; on paths that no route matched, nothing. */
  readonly device: DeviceAccess;
  /** What it is shown may be wrong: who is right is not held up by a limit. */
  readonly limitsFailures?: boolean;
  /** For programs, and for scripts of pages that may ask: no page of another site loads it as it would a picture. */
  readonly isApi: boolean;
  /** While there is no key, our own pages alone may ask. */
  readonly isPowerful?: boolean;
  readonly limit: Limit | undefined;
  readonly meter: RouteMeter;
  /** Where it is not what all may: then a longer one is answered. */
  readonly mostBodyBytes?: number | undefined;
}

interface DeviceAnswer extends UnderWay {
  device: DeviceScope;
  access: DeviceAccess;
  raw: ServerResponse;
  readonly leave: () => void;
}

/** What a request shows of who asks, and for what. */
interface Shown {
  readonly headers: IncomingHttpHeaders;
  /** From its path. */
  readonly params?: unknown;
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
  /** The last one over each connection that a device was given. */
  readonly #answers = new WeakMap<Socket, DeviceAnswer>();

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
    const visit = this.visit(request.raw, guarded.meter);
    request.visit = visit;
    try {
      if (Number(request.headers['content-length']) > (guarded.mostBodyBytes ?? MOST_BODY_BYTES)) {
        if (guarded.mostBodyBytes !== undefined) throw new HarkError('CONTENT_TOO_LARGE');
        closeWithoutAnswer(request);
        return;
      }
      if (request.method === 'OPTIONS') {
        const answered = this.#answerPreflight(guarded, visit, request, reply);
        answered.catch((error) => sendError(request, reply, error));
        return;
      }
      const letIn = () => {
        if (visit.device) this.#follow(visit.device, guarded, reply);
        done();
      };
      const admitted = this.admit(guarded, visit, request);
      if (admitted) admitted.then(letIn).catch((error) => sendError(request, reply, error));
      else letIn();
    } catch (error) {
      sendError(request, reply, error);
    }
  }

  visit(request: IncomingMessage, meter: RouteMeter): Visit {
    return new Visit(request, this.#options.clients.of(request), meter);
  }

  /**
   * Fills in who asks, or throws why they may not: at once, unless the limits of all processes have to be asked. Who is
   * let in by a device has to be followed from then on.
   */
  admit(guarded: Guarded, visit: Visit, shown: Shown): Promise<void> | undefined {
    const { authentication, limits, isReady } = this.#options;
    const { headers } = shown;
    const keyCheck = authentication.look(headers, visit.client);
    visit.isKnown = keyCheck === 'known';
    const refusal = isReady() ? this.#checkWhereFrom(guarded, visit, headers) : new HarkError('NOT_READY');
    if (refusal) {
      const refuse = (): never => {
        throw refusal;
      };
      return this.#tellLeft(guarded, visit).then(refuse);
    }
    const proved = this.#deviceOf(guarded, headers, visit);
    if (typeof proved === 'object') visit.device = proved;
    visit.isKnown &&= proved === undefined;
    visit.hasGuessed = keyCheck === 'guessed';
    const passOn = (taken: Taken | undefined) => {
      refuseTooMany(visit, taken, guarded);
      if (proved !== undefined) this.#admitDevice(proved, guarded, visit, shown);
      else if (guarded.needsKey) this.#authenticate(keyCheck, visit);
      visit.userId = this.#userOf(visit, headers);
    };
    // Counted before it is refused for its key: refusals have to be limited too.
    const taken = guarded.limit && limits.take(guarded.limit, visit.client, visit.isTrusted);
    if (taken instanceof Promise) return taken.then(passOn);
    passOn(taken);
    return undefined;
  }

  #checkWhereFrom(
    { isApi, isPowerful }: Guarded,
    visit: Visit,
    headers: IncomingHttpHeaders,
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

  /** How much is left, where nothing is counted: of refusals for where somebody comes from, and of preflights. */
  async #tellLeft({ limit }: Guarded, { client, isKnown, headers }: Visit): Promise<void> {
    const left = limit && (await this.#options.limits.look(limit, client, isKnown));
    if (left) headers['x-ratelimit-remaining'] = left.remaining;
  }

  #authenticate(keyCheck: KeyCheck, visit: Visit): void {
    if (keyCheck === 'known') return;
    if (keyCheck === 'stranger') throw new HarkError('UNAUTHORIZED', { message: 'Missing API key' });
    throw this.#failed(visit) ?? new HarkError('UNAUTHORIZED', { message: 'Wrong API key' });
  }

  /**
   * The device that asks, or why its proof does not count; undefined where none shows one. A key beside it is not looked
   * at: the device's scope holds. Where it comes to its proof, what it shows for one is out of date.
   */
  #deviceOf(
    { isApi, device }: Guarded,
    headers: IncomingHttpHeaders,
    { client }: Visit,
  ): DeviceScope | ProofRefusal | undefined {
    const { 'x-device-id': deviceId, 'x-device-secret': secret } = headers;
    if ((deviceId === undefined && secret === undefined) || !isApi || device === 'proof') return undefined;
    if (typeof deviceId !== 'string' || typeof secret !== 'string') return 'wrong';
    return this.#options.devices.prove(deviceId, secret, client);
  }

  #admitDevice(
    shown: DeviceScope | ProofRefusal,
    { device: access }: Guarded,
    visit: Visit,
    { headers, params }: Shown,
  ): void {
    if (typeof shown === 'string') {
      const failed = shown === 'wrong' ? this.#failed(visit, headers['x-device-id']) : undefined;
      throw failed ?? new HarkError('UNAUTHORIZED', { message: WHY_REFUSED[shown] });
    }
    const { id: recordId } = Object(params);
    if (!mayDevice(shown, access, { recordId })) throw outOfScope();
  }

  /** Refused for what was shown, in an operation: counted here as well. What is to be answered. */
  judge(request: FastifyRequest, error: unknown): unknown {
    const { visit, params } = request;
    if (!visit || !isHarkError(error) || ![401, 403].includes(statuses[error.code])) return error;
    const { id: deviceId } = Object(params);
    if (error.code === 'UNAUTHORIZED' && deviceId === undefined && !visit.hasGuessed) return error;
    return this.#failed(visit, deviceId) ?? error;
  }

  /** Counts it; what is to be said where there were too many. */
  #failed({ client, headers }: Visit, named?: unknown): HarkError | undefined {
    const deviceId = typeof named === 'string' && ID_PATTERN.test(named) ? named : undefined;
    const wait = this.#options.authentication.countFailure(client, deviceId);
    if (wait === 0) return undefined;
    return refuseForNow(headers, MOST_FAILURES, wait, 'Too many failed attempts to authenticate');
  }

  /** Until it is answered; cut off where the device may it no more. */
  #follow(device: DeviceScope, { device: access }: Guarded, { raw }: FastifyReply): void {
    const { socket } = raw;
    if (!socket) return;
    const before = this.#answers.get(socket);
    const isNext = before?.raw.closed === true;
    // One after the other over the same connection, they need not be entered anew.
    if (isNext && before.device.deviceId === device.deviceId) {
      before.device = device;
      before.access = access;
      before.raw = raw;
      return;
    }
    if (isNext) before.leave();
    const answer: DeviceAnswer = { device, access, raw, end: () => answer.raw.destroy(), leave };
    const over = this.#options.liveDevices.add(answer);
    this.#answers.set(socket, answer);
    socket.once('close', leave);
    function leave() {
      socket?.off('close', leave);
      over();
    }
  }

  /** The user that the request speaks for. Only who showed the key, or needs none, may name another. */
  #userOf(visit: Visit, headers: IncomingHttpHeaders): string {
    const named = headers['x-user-id'];
    if (visit.device) {
      if (named !== undefined && named !== visit.device.userId)
        throw outOfScope('A device asks for its own user alone');
      return visit.device.userId;
    }
    if (named === undefined || !visit.isKnown) return this.#options.config.SERVICE_USER_ID;
    if (typeof named !== 'string' || !ID_PATTERN.test(named))
      throw new HarkError('INVALID_ID', { message: 'X-User-Id is not a valid id' });
    visit.namesUser = true;
    return named;
  }

  async #answerPreflight(
    guarded: Guarded,
    visit: Visit,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    visit.isKnown = this.#options.authentication.look(request.headers, visit.client) === 'known';
    await this.#tellLeft(guarded, visit);
    if (!this.#hosts.serves(request.headers.host)) throw new HarkError('MISDIRECTED');
    Object.assign(visit.headers, this.#origins.preflight(request.headers));
    sendEmpty(request, reply, 204);
  }
}

const WHY_REFUSED: Readonly<Record<ProofRefusal, string>> = {
  wrong: 'Unknown device or wrong device secret',
  pending: 'This device waits for approval',
  suspended: 'This device is suspended',
  revoked: 'This device is revoked',
  unlinked: 'This device is linked to nobody',
};

function refuseTooMany({ headers }: Visit, taken: Taken | undefined, { limitsFailures }: Guarded): void {
  if (!taken) return;
  headers['x-ratelimit-remaining'] = taken.remaining;
  if (!taken.allowed && !limitsFailures)
    throw refuseForNow(headers, taken.capacity, Math.max(1, Math.ceil(taken.retryAfterMs / 1_000)));
}

function refused(message: string): HarkError {
  return new HarkError('FORBIDDEN', { message });
}
