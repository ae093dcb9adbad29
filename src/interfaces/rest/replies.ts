import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorRegistry, HarkError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';

declare module 'fastify' {
  interface FastifyInstance {
    harkLog: Logger;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

/*
 * Every way in which a request ends goes through here: what is sent carries the visit's headers, and is counted.
 */

export function sendText(request: FastifyRequest, reply: FastifyReply, status: number, text: string): void {
  const { visit } = request;
  if (visit) {
    visit.headers['content-type'] ??= JSON_TYPE;
    reply.headers(visit.headers);
    visit.end(status);
  }
  reply.code(status).send(text);
}

export function sendBytes(request: FastifyRequest, reply: FastifyReply, status: number, bytes: Buffer): void {
  const { visit } = request;
  if (visit) reply.headers(visit.headers);
  visit?.end(status);
  reply.code(status).send(bytes);
}

export function sendEmpty(request: FastifyRequest, reply: FastifyReply, status: number): void {
  const { visit } = request;
  if (visit) reply.headers(visit.headers);
  visit?.end(status);
  reply.code(status).send();
}

/** What the specification wants for a body that is too large: no answer at all. */
export function closeWithoutAnswer(request: FastifyRequest): void {
  request.visit?.end('closed');
  request.raw.socket.destroy();
}

export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  if (isTooLarge(thrown)) {
    reply.hijack();
    return closeWithoutAnswer(request);
  }
  const error = toHarkError(thrown);
  if (error.code === 'INTERNAL') logFault(request, thrown);
  if (request.visit) request.visit.headers['content-type'] = JSON_TYPE;
  if (error.code === 'UNAUTHORIZED') reply.header('www-authenticate', 'Bearer');
  sendText(request, reply, error.status, JSON.stringify(errorBody(error, request.visit?.correlationId)));
}

export function errorBody(error: HarkError, correlationId?: string): Record<string, unknown> {
  const { message } = errorRegistry[error.code];
  const always = error.code === 'INTERNAL' || error.code === 'UNAUTHORIZED' || error.code === 'FORBIDDEN';
  return {
    error: message,
    ...(always || error.message !== message ? { message: error.message } : {}),
    ...(error.code === 'INTERNAL' ? { correlationId } : {}),
    ...error.body,
  };
}

/** Refusals of Fastify become ours; anything unknown becomes an internal error, and what it said stays here. */
function toHarkError(thrown: unknown): HarkError {
  if (thrown instanceof HarkError) return thrown;
  if (isRefusal(thrown)) {
    if (thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new HarkError('UNSUPPORTED_MEDIA_TYPE');
    return new HarkError('BAD_REQUEST', { message: STATUS_CODES[thrown.statusCode] ?? 'Bad Request' });
  }
  return new HarkError('INTERNAL', {
    message: 'Something went wrong here; the log has it under this correlation id',
  });
}

function isRefusal(thrown: unknown): thrown is { code: string; statusCode: number } {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('statusCode' in thrown)) return false;
  const { code, statusCode } = thrown;
  if (typeof code !== 'string' || typeof statusCode !== 'number') return false;
  return code.startsWith('FST_') && statusCode >= 400 && statusCode < 500;
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

function logFault(request: FastifyRequest, error: unknown): void {
  const { url: route = 'unmatched', method } = request.routeOptions;
  const { correlationId } = request.visit ?? {};
  request.server.harkLog.error({ err: error, correlationId, route, method }, 'request failed');
}
