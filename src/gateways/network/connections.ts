import type { IncomingMessage } from 'node:http';

/** Servers close what is idle after five seconds and more: nothing is asked over a connection that may be closing. */
const IDLE_MS = 4_000;

/** Not imported: see `http.ts`. */
const { Agent: PlainAgent, request: askPlainly } = process.getBuiltinModule('node:http');
const { Agent: SecureAgent, request: askSecurely } = process.getBuiltinModule('node:https');
// As with `fetch`, a proxy of the environment is asked where Node is told to.
const proxyEnv = process.env.NODE_USE_ENV_PROXY === '1' ? process.env : undefined;

/** Connections of their own, kept for what is asked next; by what an address speaks, how to ask over them. */
export function keptConnections() {
  const kept = { keepAlive: true, timeout: IDLE_MS, proxyEnv };
  const plain = { send: askPlainly, agent: new PlainAgent(kept) };
  const secure = { send: askSecurely, agent: new SecureAgent(kept) };
  return ({ protocol }: URL) => (protocol === 'https:' ? secure : plain);
}

export function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

export function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
}
