import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { isRedirect, keptConnections } from '../network/connections.ts';
import { Answer } from './answer.ts';
import { errorText } from './boundedBody.ts';

const connectionTo = keptConnections();

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
  const { send, agent } = connectionTo(url);
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
