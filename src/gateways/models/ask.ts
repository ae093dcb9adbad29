import type { IncomingMessage, RequestOptions } from 'node:http';
import { isRedirect, keptConnections } from '../network/connections.ts';
import { ProviderAnswer } from './answer.ts';
import { errorText } from './boundedBody.ts';

const connectionTo = keptConnections();

/** An answer that has begun. Whoever reads it calls `forget` at its end, or the signal would hold on to it. */
interface Begun {
  readonly message: IncomingMessage;
  readonly forget: () => void;
}

/** Over a connection that is kept. Follows no redirect, which would carry the key to where it does not belong. */
export async function send(
  url: URL,
  options: RequestOptions,
  body: string | Uint8Array | undefined,
  signal: AbortSignal | undefined,
): Promise<Begun> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const connection = connectionTo(url);
  const request = connection.send(url, { ...options, agent: connection.agent }, resolve);
  const cancel = () => request.destroy(new DOMException('The call was cancelled', 'AbortError'));
  signal?.addEventListener('abort', cancel, { once: true });
  // Also when the answer has begun: whoever reads it is told by the answer itself.
  request.on('error', reject);
  // Where all of it is ASCII, as most is, these are the same bytes, and Node writes them without working on each.
  if (typeof body !== 'string' || Buffer.byteLength(body) > body.length) request.end(body);
  else request.end(body, 'latin1');
  const forget = () => signal?.removeEventListener('abort', cancel);
  try {
    const message = await promise;
    if (isRedirect(message)) throw new Error('A redirect is not followed');
    return { message, forget };
  } catch (error) {
    forget();
    request.destroy();
    throw signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause: error });
  }
}

/**
 * Asks a provider, in the place of `fetch`. That makes streams, requests and signals for each call and notes them in
 * registers, so that none of it is young garbage: a fifth of what a turn of chat costs the processor. Asks for nothing
 * compressed.
 */
export const ask: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const { method = 'GET', body } = init;
  if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('Not a text');
  const options = { method, headers: headersOf(init.headers) };
  const { message, forget } = await send(url, options, body ?? undefined, init.signal ?? undefined);
  return new ProviderAnswer(message, forget);
};

export function headersOf(given: RequestInit['headers']): Readonly<Record<string, string>> {
  const headers = given instanceof Headers ? given : new Headers(given);
  return { 'accept-encoding': 'identity', ...Object.fromEntries(headers) };
}

/** For the SDKs, which read the body of an error to its end. */
export const askBoundingErrors: typeof fetch = async (input, init) => {
  const response = await ask(input, init);
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  return new Response(await errorText(response), { status, statusText, headers });
};
