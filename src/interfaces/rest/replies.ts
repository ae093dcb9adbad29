import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorCode, errorMessages, HarkError } from '../../errors.ts';
import { STATUS_CODES } from '../../http.ts';
import type { Logger } from '../../logger.ts';
import { unhurried } from '../../unhurried.ts';
import { openAiError, speaksOpenAi } from '../openai/errors.ts';
import { statuses } from './statuses.ts';
import type { Visit } from './visit.ts';

declare module 'fastify' {
  interface FastifyInstance {
    harkLog: Logger;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

/*
 * Every way in which a request ends goes through here: what is sent carries the visit's headers, and is counted.
 * Answers are complete when they are sent, so they go to the socket past what Fastify does for others.
 */

export interface Payload {
  readonly content: string | Buffer;
  readonly length: number;
}

export function textPayload(text: string): Payload {
  return { content: text, length: Buffer.byteLength(text) };
}

export function send(
  { visit }: FastifyRequest,
  { raw }: FastifyReply,
  status: number,
  { content, length }: Payload,
): void {
  const headers: OutgoingHttpHeaders = visit?.headers ?? {};
  headers['content-type'] ??= JSON_TYPE;
  headers['content-length'] = length;
  raw.writeHead(status, headers);
  raw.end(content, encodingOf(content, length));
  visit?.end(status);
}

/** Of ASCII alone, as most answers are, these are the same bytes, and Node writes them without working on each. */
export function encodingOf(content: string | Buffer, length: number): BufferEncoding {
  return content.length === length ? 'latin1' : 'utf8';
}

/** As long as it may be: the next piece is asked for when the socket has taken what came before. */
export async function sendPieces(
  { visit }: FastifyRequest,
  reply: FastifyReply,
  type: string,
  pieces: AsyncIterable<string>,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, { ...visit?.headers, 'content-type': type });
  await pipeline(Readable.from(unhurried(pieces)), raw).catch((error) => {
    // Who has gone away is not waited for; what broke on our side is cut off, so that nobody takes it for whole.
    if (!raw.destroyed) throw error;
  });
  visit?.end(200);
}

export function sendEmpty({ visit }: FastifyRequest, { raw }: FastifyReply, status: 204 | 304 | 405): void {
  raw.writeHead(status, visit?.headers ?? {});
  raw.end();
  visit?.end(status);
}

/** Of every route that says nothing else. */
export const MOST_BODY_BYTES = 1_048_576;

/** What the specification wants for a body that is too large: no answer at all. */
export function closeWithoutAnswer(request: FastifyRequest): void {
  request.visit?.end('closed');
  request.raw.socket.destroy();
}

export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  // A route with a limit of its own says so.
  if (isTooLarge(thrown) && request.routeOptions.bodyLimit === MOST_BODY_BYTES) {
    reply.hijack();
    closeWithoutAnswer(request);
    return;
  }
  // Too late to say anything: what was begun is cut off.
  if (reply.raw.headersSent) {
    logFault(request, thrown);
    reply.raw.destroy();
    return;
  }
  if (isHungUp(request, thrown)) {
    reply.raw.destroy();
    return;
  }
  const error = toHarkError(thrown);
  if (error.code === 'INTERNAL') logFault(request, thrown);
  const { url = request.url } = request.routeOptions;
  send(request, reply, statuses[error.code], refusalOf(error, url, request.visit));
}

/** What is answered under this path, whatever carries it; its headers are put with those of the visit. */
export function refusalOf(error: HarkError, path: string, visit: Visit | undefined): Payload {
  if (visit) {
    visit.headers['content-type'] = JSON_TYPE;
    if (error.code === 'UNAUTHORIZED') visit.headers['www-authenticate'] = 'Bearer';
    const { retryAfter } = error.body;
    if (typeof retryAfter === 'number') visit.headers['retry-after'] = retryAfter;
    if (error.code === 'TOO_MANY_REQUESTS') tellLimit(visit.headers, error);
  }
  const body = speaksOpenAi(path) ? openAiError(error) : errorBody(error, visit?.correlationId);
  return textPayload(JSON.stringify(body));
}

/** Whatever there was too much of: nothing more of it is left. */
function tellLimit(headers: Visit['headers'], { limit, body: { retryAfter } }: HarkError): void {
  headers['x-ratelimit-remaining'] = 0;
  if (limit !== undefined) headers['x-ratelimit-limit'] = limit;
  if (typeof retryAfter === 'number') headers['x-ratelimit-reset'] ??= retryAfter;
}

/** Refusals that clients find a `message` in, although there is nothing to add. */
const EXPLAINED: ReadonlySet<ErrorCode> = new Set([
  'INTERNAL',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'MODEL_UNAVAILABLE',
  'BILLING_EXHAUSTED',
]);

export function errorBody(error: HarkError, correlationId?: string): Record<string, unknown> {
  const message = errorMessages[error.code];
  const always = EXPLAINED.has(error.code);
  return {
    error: message,
    ...(always || error.message !== message ? { message: error.message } : {}),
    ...(error.code === 'INTERNAL' ? { correlationId } : {}),
    ...error.body,
  };
}

/** Refusals of Fastify become ours; anything unknown becomes an internal error, and what it said stays here. */
export function toHarkError(thrown: unknown): HarkError {
  if (thrown instanceof HarkError) return thrown;
  if (isTooLarge(thrown)) return new HarkError('CONTENT_TOO_LARGE');
  if (isRefusal(thrown)) {
    if (thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new HarkError('UNSUPPORTED_MEDIA_TYPE');
    return new HarkError('BAD_REQUEST', { message: STATUS_CODES[thrown.statusCode] ?? 'Bad Request' });
  }
  return new HarkError('INTERNAL', {
    message: 'Internal error; the log of the service has the details under this correlation id',
  });
}

function isRefusal(thrown: unknown): thrown is { code: string; statusCode: number } {
  if (!(thrown instanceof Error) || !('code' in thrown) || !('statusCode' in thrown)) return false;
  const { code, statusCode } = thrown;
  if (typeof code !== 'string' || typeof statusCode !== 'number') return false;
  return code.startsWith('FST_') && statusCode >= 400 && statusCode < 500;
}

/** The client left while it was sending: nobody is there to answer, and it is no fault of ours. */
function isHungUp({ raw }: FastifyRequest, thrown: unknown): boolean {
  return !raw.complete && thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNRESET';
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

function logFault(request: FastifyRequest, error: unknown): void {
  const { url: route = 'unmatched', method } = request.routeOptions;
  const { correlationId } = request.visit ?? {};
  request.server.harkLog.error({ err: error, correlationId, route, method }, 'request failed');
}
