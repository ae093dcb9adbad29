import type { IncomingMessage, RequestOptions } from 'node:http';
import { Readable } from 'node:stream';
import { isOffLimits } from '../network/addresses.ts';
import { headersOf, isRedirect, keptConnections } from '../network/connections.ts';
import { AddressRefused, hostOf, lookupWhere, type Resolve } from '../network/lookup.ts';

/** Not shared with those who look at no address: a connection that is open is asked over without looking. */
const connectionTo = keptConnections();

/** Answers that have no body, and of which a `Response` takes none. */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);
const MOST_STATUS = 599;

/**
 * Asks a tool server in the place of `fetch`, which connects to whatever a name resolves to: this and private networks
 * are where people run such servers, but nothing off limits is connected to, by name or by address. Follows no
 * redirect: it would lead past that.
 */
export function pinnedFetch(resolve?: Resolve): typeof fetch {
  const lookup = lookupWhere((address) => !isOffLimits(address), resolve);
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (isOffLimits(hostOf(url))) throw new AddressRefused();
    if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('Not a text');
    const given = { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(headers)) };
    const options = { method, headers: given, lookup, ...(signal ? { signal } : {}) };
    try {
      return answerOf(await ask(url, options, body ?? ''));
    } catch (error) {
      // As with `fetch`: what it was called off for.
      throw signal?.aborted ? signal.reason : error;
    }
  };
}

function ask(url: URL, options: RequestOptions, body: string): Promise<IncomingMessage> {
  const { send, agent } = connectionTo(url);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = send(url, { ...options, agent }, resolve);
  // Also when the answer has begun: whoever reads it is told by the answer itself.
  request.on('error', reject);
  // Unheard, it would end the connection with no word of an error.
  request.on('upgrade', (_message, socket) => {
    socket.destroy();
    reject(new TypeError('It wants to speak something else'));
  });
  request.end(body);
  return promise;
}

function answerOf(message: IncomingMessage): Response {
  const { statusCode: status = 0 } = message;
  if (isRedirect(message) || status > MOST_STATUS) {
    message.destroy();
    throw new TypeError(isRedirect(message) ? 'A redirect is not followed' : 'There is no such status');
  }
  const headers = headersOf(message);
  if (!BODYLESS.has(status)) return new Response(Readable.toWeb(message), { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}
