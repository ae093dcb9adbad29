import type { IncomingMessage, RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { isOffLimits } from '../network/addresses.ts';
import { AddressRefused, hostOf, lookupWhere, type Resolve } from '../network/lookup.ts';

/** Servers close what is idle after five seconds and more: nothing is asked over a connection that may be closing. */
const IDLE_MS = 4_000;

const { Agent: PlainAgent, request: askPlainly } = process.getBuiltinModule('node:http');
const { Agent: SecureAgent, request: askSecurely } = process.getBuiltinModule('node:https');
// As with `fetch`, a proxy of the environment is asked where Node is told to.
const proxyEnv = process.env.NODE_USE_ENV_PROXY === '1' ? process.env : undefined;
const connections = { keepAlive: true, timeout: IDLE_MS, proxyEnv };
const plain = new PlainAgent(connections);
const secure = new SecureAgent(connections);

/** Answers that have no body, and of which a `Response` takes none. */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Asks a tool server in the place of `fetch`, which connects to whatever a name resolves to: this and private networks
 * are where people run such servers, but nothing off limits is connected to, by name or by address. Follows no
 * redirect: it would lead past that.
 */
export function pinnedFetch(resolve?: Resolve): typeof fetch {
  const lookup = lookupWhere((address) => !isOffLimits(address), resolve);
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (isIP(hostOf(url)) !== 0 && isOffLimits(hostOf(url))) throw new AddressRefused();
    if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('Not a text');
    const [send, agent] = url.protocol === 'https:' ? [askSecurely, secure] : [askPlainly, plain];
    const given = { 'accept-encoding': 'identity', ...Object.fromEntries(new Headers(headers)) };
    const message = await ask(
      send,
      url,
      { method, headers: given, agent, lookup, ...(signal ? { signal } : {}) },
      body,
    );
    return answerOf(message);
  };
}

function ask(
  send: typeof askPlainly,
  url: URL,
  options: RequestOptions,
  body: string | null | undefined,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  // Also when the answer has begun: whoever reads it is told by the answer itself.
  send(url, options, resolve)
    .on('error', reject)
    .end(body ?? undefined);
  // As `fetch` does: what it was called off for is the error.
  return promise.catch((error) => {
    throw options.signal?.aborted ? options.signal.reason : error;
  });
}

function answerOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  if (status >= 300 && status < 400) {
    message.destroy();
    throw new TypeError('A redirect is not followed');
  }
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  if (!BODYLESS.has(status)) return new Response(Readable.toWeb(message), { status, headers });
  message.resume();
  return new Response(null, { status, headers });
}
