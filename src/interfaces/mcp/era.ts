import type { IncomingHttpHeaders } from 'node:http';
import { JSONRPCErrorResponseSchema, JSONRPCResultResponseSchema } from '@modelcontextprotocol/core';
import {
  isJSONRPCNotification,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type MessageClassification,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';

export const MODERN = '2026-07-28';

/** Of clients: those of 2025, or those of 2026. */
export type Era = MessageClassification['era'];

/** Of what is asked again and again; undefined where the SDK's own way has to find it out. */
export function eraOf(message: unknown, headers: IncomingHttpHeaders): Era | undefined {
  const { method, params } = Object(message);
  if (method !== 'tools/call' && method !== 'tools/list') return undefined;
  if (isOf2026({ method, params: Object(params) }, headers)) return 'modern';
  return isOf2025({ params: Object(params) }, headers) ? 'legacy' : undefined;
}

/** Only clients of 2025 say so in a message of its own. */
export function isCancellation(body: unknown, headers: IncomingHttpHeaders): body is JSONRPCNotification {
  if (Object(body).method !== 'notifications/cancelled' || !isJSONRPCNotification(body)) return false;
  return isOf2025(body, headers);
}

/** Whether the headers say what the message says. What else there may be to refuse, the server sees. */
function isOf2026(
  { method, params }: Pick<JSONRPCRequest, 'method' | 'params'>,
  headers: IncomingHttpHeaders,
): boolean {
  return (
    params?._meta?.[PROTOCOL_VERSION_META_KEY] === MODERN &&
    headers['mcp-protocol-version'] === MODERN &&
    headers['mcp-method'] === method &&
    (method !== 'tools/call' || headers['mcp-name'] === params.name)
  );
}

function isOf2025({ params }: Pick<JSONRPCNotification, 'params'>, headers: IncomingHttpHeaders): boolean {
  const { accept = '', 'mcp-protocol-version': version } = headers;
  if (PROTOCOL_VERSION_META_KEY in Object(params?._meta)) return false;
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false;
  return version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}

/*
 * The SDK asks of each message first whether it is a response, by these schemas. That a request is none cost more than
 * most calls: zod's answer is an object with an accessor, which V8 keeps among what is old, and with it all that the
 * answer knows of the message, until the whole heap is collected. To that end all requests were copied twice, in
 * pauses of 30 ms. What has a method is no response, and nobody has to look further.
 */

refuseWithMethod(JSONRPCResultResponseSchema);
refuseWithMethod(JSONRPCErrorResponseSchema);

function refuseWithMethod<Response>(schema: z.ZodType<Response>): void {
  const parse = schema.safeParse.bind(schema);
  const refused = parse({ method: '' });
  schema.safeParse = (data, params) => (hasMethod(data) ? refused : parse(data, params));
}

function hasMethod(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, 'method');
}
