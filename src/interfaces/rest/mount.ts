import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandler } from 'fastify';
import type { z } from 'zod';
import { HarkError } from '../../errors.ts';
import { lazily } from '../../lazily.ts';
import {
  type AnyOperation,
  type EitherOperation,
  ID_PATTERN,
  type Listening,
  type Operation,
  type StreamOperation,
  type TextOperation,
} from '../operation.ts';
import type { EventStreams } from './eventStream.ts';
import type { Gate } from './gate.ts';
import { limitOf } from './rateLimits.ts';
import { type Payload, send, sendError, sendPieces, textPayload } from './replies.ts';
import type { RouteMeter } from './routeMeter.ts';
import { RestCaller, type Visit } from './visit.ts';

interface MountOptions {
  readonly gate: Gate;
  readonly streams: EventStreams;
  readonly meterOf: (method: string, path: string) => RouteMeter;
}

type Read = (request: FastifyRequest) => Record<string, unknown>;

/** Makes a route of an operation. */
export function mount(
  app: FastifyInstance,
  operation: AnyOperation,
  { gate, streams, meterOf }: MountOptions,
): void {
  const { device } = operation;
  const { method, path, access, isPowerful, limitsFailures = false, mostBodyBytes } = operation.rest;
  const meter = meterOf(method, path);
  meter.declare(operation.rest.status ?? 200);
  const isApi = liesInApi(path);
  const needsKey = isApi && access !== 'open';
  const limits = { limitsFailures, limit: limitOf(path), mostBodyBytes };
  const guarded = { needsKey, isApi, isPowerful: isPowerful === true, device, meter, ...limits };
  const powerful = { ...guarded, isPowerful: true };
  const hasHead = method === 'GET' && operation.kind !== 'stream' && operation.kind !== 'text';
  const asHead = hasHead ? { ...guarded, meter: meterOf('HEAD', path) } : guarded;
  const read = inputReader(operation);
  const onRequest = gate.hook((request) => {
    if (request.method === 'HEAD') return asHead;
    return typeof isPowerful === 'function' && isPowerful(toObject(request.query)) ? powerful : guarded;
  });
  const handler = handlerOf(operation, read, { gate, streams });
  const bodyLimit = mostBodyBytes === undefined ? {} : { bodyLimit: mostBodyBytes };
  const { bytesField } = operation.rest;
  const config = bytesField === undefined ? {} : { config: { bytesField } };
  const methods = hasHead ? [method, 'HEAD'] : method;
  app.route({ method: methods, url: path, onRequest, handler, ...bodyLimit, ...config });
}

export function liesInApi(path: string): boolean {
  return /^\/(api|v1|mcp)(\/|$)/.test(path);
}

function handlerOf(
  operation: AnyOperation,
  read: Read,
  { gate, streams }: Pick<MountOptions, 'gate' | 'streams'>,
): RouteHandler {
  switch (operation.kind) {
    case 'call':
      return answerCall(operation, read, gate);
    case 'stream':
      return openStream(operation, read, streams);
    case 'either':
      return answerOrStream(operation, read, streams);
    case 'text':
      return tellText(operation, read);
  }
}

function answerCall(operation: Operation, read: Read, gate: Gate): RouteHandler {
  const { status = 200, text, limitsFailures = false } = operation.rest;
  const render = text === undefined ? jsonRenderer() : (output: unknown) => textPayload(String(output));
  const answer = (request: FastifyRequest, reply: FastifyReply, output: unknown) => {
    if (text !== undefined && request.visit) request.visit.headers['content-type'] = text;
    send(request, reply, status, render(output));
  };
  return (request, reply) => {
    const caller = callerOf(operation, request, reply);
    operation.admit?.(caller);
    const output = operation.run(read(request), caller);
    if (!(output instanceof Promise)) return answer(request, reply, output);
    output
      .then((settled) => answer(request, reply, settled))
      .catch((error) => sendError(request, reply, limitsFailures ? gate.judge(request, error) : error));
  };
}

function openStream(operation: StreamOperation, read: Read, streams: EventStreams): RouteHandler {
  return (request, reply) => {
    const caller = callerOf(operation, request, reply);
    operation.admit?.(caller);
    const isNamed = wantsNames(request);
    operation
      .run(read(request), caller)
      .then((messages) => streams.send(request, reply, messages, isNamed))
      .catch((error) => sendError(request, reply, error));
  };
}

/** Browsers hand messages with a name to who listens for that name, and to nobody else. */
function wantsNames({ query }: FastifyRequest): boolean {
  const { named = 'true' } = toObject(query);
  if (named === 'true' || named === 'false') return named === 'true';
  const issue = { path: ['named'], message: 'must be true or false' };
  throw new HarkError('VALIDATION_FAILED', { body: { issues: [issue] } });
}

function answerOrStream(operation: EitherOperation, read: Read, streams: EventStreams): RouteHandler {
  const { status = 200 } = operation.rest;
  return (request, reply) => {
    const caller = callerOf(operation, request, reply);
    operation.admit?.(caller);
    operation
      .run(read(request), caller)
      .then((answer) =>
        isListening(answer)
          ? streams.send(request, reply, answer)
          : send(request, reply, status, textPayload(JSON.stringify(answer))),
      )
      .catch((error) => sendError(request, reply, error));
  };
}

function tellText(operation: TextOperation, read: Read): RouteHandler {
  const { text = 'text/plain; charset=utf-8' } = operation.rest;
  return (request, reply) => {
    const caller = callerOf(operation, request, reply);
    operation.admit?.(caller);
    operation
      .run(read(request), caller)
      .then((pieces) => sendPieces(request, reply, text, pieces))
      .catch((error) => sendError(request, reply, error));
  };
}

function isListening(answer: unknown): answer is Listening {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

/** An output that will not change is turned into text once. */
function jsonRenderer(): (output: unknown) => Payload {
  let last: unknown;
  let kept: Payload | undefined;
  return (output) => {
    if (kept && output === last) return kept;
    const payload = textPayload(JSON.stringify(output));
    if (typeof output === 'object' && Object.isFrozen(output)) {
      last = output;
      kept = payload;
    }
    return payload;
  };
}

function callerOf(
  operation: AnyOperation,
  { visit, headers }: FastifyRequest,
  { raw }: FastifyReply,
): RestCaller {
  if (!visit) throw new TypeError('A request came past the gate');
  const { 'idempotency-key': key, 'last-event-id': lastEventId, 'x-setup-token': setupToken } = headers;
  return new RestCaller(visit, raw, {
    commandId: key === undefined ? undefined : commandIdOf(operation, visit, key),
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    setupToken: typeof setupToken === 'string' ? setupToken : undefined,
  });
}

/** Of this user and this operation: nobody meets another's key, and no key two operations. */
function commandIdOf({ name }: AnyOperation, { userId }: Visit, key: unknown): string {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw new HarkError('INVALID_ID', { message: 'Idempotency-Key is not a valid key' });
  return `request:${userId}:${name}:${key}`;
}

function inputReader({ input, rest }: AnyOperation): Read {
  const { method, invalidId, takesNames } = rest;
  const reading = lazily(() => {
    const schema = input();
    const isEmpty = Object.keys(schema.shape).length === 0 && !rest.strict && !schema.def.catchall;
    return { isEmpty, schema: rest.strict ? schema.strict() : schema };
  });
  const ids = Array.from(rest.path.matchAll(/:(\w+)/g), ([, name = '']) => name);
  const fromBody = method === 'POST' || method === 'PUT';
  return ({ body, query, params }) => {
    const { isEmpty, schema } = reading();
    if (isEmpty) return {};
    const path = toObject(params);
    for (const name of ids) {
      if (!takesNames && !ID_PATTERN.test(String(path[name])))
        throw new HarkError('INVALID_ID', {
          body: invalidId ? { error: invalidId } : { issues: [{ path: [name], message: 'Invalid ID' }] },
        });
    }
    if (method === 'PUT' && (body === undefined || body === null)) throw noBody();
    if (rest.strict && body === null) throw noBody();
    const parsed = schema.safeParse({ ...toObject(fromBody ? body : query), ...path });
    if (!parsed.success) throw refusal(parsed.error);
    return parsed.data;
  };
}

/** What is put in the place of something has to be said. */
function noBody(): HarkError {
  return new HarkError('VALIDATION_FAILED', {
    body: { issues: [{ path: [], message: 'A request body is required' }] },
  });
}

function toObject(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new HarkError('VALIDATION_FAILED', {
      body: { issues: [{ path: [], message: 'must be an object' }] },
    });
  return { ...value };
}

/** Who made so many mistakes is helped by the first of them, and must not be paid in megabytes. */
const MOST_ISSUES = 50;

function refusal({ issues }: z.ZodError): HarkError {
  return new HarkError('VALIDATION_FAILED', {
    body: { issues: issues.slice(0, MOST_ISSUES).map(({ path, message }) => ({ path, message })) },
  });
}
