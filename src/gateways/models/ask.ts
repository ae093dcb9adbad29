import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { Answer } from './answer.ts';
import { errorText } from './boundedBody.ts';

/** Servers close what is idle after five seconds and more: nothing is asked over a connection that may be closing. */
const IDLE_MS = 4_000;

/** Not imported: see `http.ts`. */
const { Agent: PlainAgent, request: askPlainly } = process.getBuiltinModule('node:http');
const { Agent: SecureAgent, request: askSecurely } = process.getBuiltinModule('node:https');
// As with `fetch`, a proxy of the environment is asked where Node is told to.
const proxyEnv = process.env.NODE_USE_ENV_PROXY === '1' ? process.env : undefined;
const connections = { keepAlive: true, timeout: IDLE_MS, proxyEnv };
const plain = new PlainAgent(connections);
const secure = new SecureAgent(connections);

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Has an SDK ask, until the signal calls that off. An SDK that is given the signal itself notes the call in a register
 * of what is to be cleaned up, and all that belongs to it is carried along by each collection until the next great one.
 */
export function until<Asked>(signal: AbortSignal, ask: () => Asked): Asked {
  return signals.run(signal, ask);
}

/**
 * Asks a provider, in the place of `fetch`. That makes streams, requests and signals for each call and notes them in
 * registers, so that none of it is young garbage: a fifth of what a turn of chat costs the processor. Follows no
 * redirect, which would carry the key to where it does not belong, and asks for nothing compressed.
 */
export const ask: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const { method = 'GET', body } = init;
  const signal = signals.getStore() ?? init.signal;
  signal?.throwIfAborted();
  if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('Not a text');
  const given = init.headers instanceof Headers ? init.headers : new Headers(init.headers);
  const headers = { 'accept-encoding': 'identity', ...Object.fromEntries(given) };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const [send, agent] = url.protocol === 'https:' ? [askSecurely, secure] : [askPlainly, plain];
  const request = send(url, { method, headers, agent }, resolve);
  const cancel = () => request.destroy(new DOMException('The call was cancelled', 'AbortError'));
  signal?.addEventListener('abort', cancel, { once: true });
  // Also when the answer has begun: whoever reads it is told by the answer itself.
  request.on('error', reject);
  request.end(body ?? undefined);
  const forget = () => signal?.removeEventListener('abort', cancel);
  try {
    const message = await promise;
    if (isRedirect(message)) throw new Error('A redirect is not followed');
    return new Answer(message, forget);
  } catch (error) {
    forget();
    request.destroy();
    throw signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause: error });
  }
};

/** For the SDKs, which read the body of an error to its end. */
export const askBoundingErrors: typeof fetch = async (input, init) => {
  const response = await ask(input, init);
  if (response.ok) return response;
  const { status, statusText, headers } = response;
  return new Response(await errorText(response), { status, statusText, headers });
};

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
}
