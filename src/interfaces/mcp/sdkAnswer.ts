import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

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
