import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { describeIssue } from '../../application/chat/toolCalls.ts';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

const issues = z
  .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
  .min(1);

/** The SDK's server, which says in words what is wrong with a request: by itself it answers zod's issues as JSON. */
export class PlainServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const handle = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await handle(request, context);
      } catch (error) {
        throw inWords(method, error);
      }
    };
  }
}

function inWords(method: string, error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  const from = message.endsWith(']') ? message.search(/\[\s{0,100}\{/) : -1;
  const listed = from < 0 ? undefined : message.slice(from);
  const read = issues.safeParse(listed === undefined ? undefined : jsonIn(listed));
  if (!read.success) return error;
  const told = read.data.map(({ path, message }) => describeIssue(path, message));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Invalid ${method} request: ${told.join('; ')}`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request as the web has them, without its body; its signal tells when the client is gone. */
export function webRequest(headers: IncomingHttpHeaders, response: ServerResponse): Request {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const own = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request('http://mcp.invalid/mcp', { method: 'POST', headers: own, signal: gone.signal });
}

/** Sends the web's response with these headers beside its own. A client that leaves ends it. */
export async function sendWebResponse(
  answer: Response,
  response: ServerResponse,
  headers: Readonly<Record<string, string | number>>,
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(answer.status, { ...headers, ...Object.fromEntries(answer.headers) });
  if (!answer.body) {
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => response.destroy());
}
