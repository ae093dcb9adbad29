import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { text } from 'node:stream/consumers';
import { certificate } from './certificate.ts';

/** What came of asking for a WebSocket: 101, or how it was refused. */
export interface Knocked {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Knock {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly tls?: boolean;
}

/** Asks for a WebSocket by hand, so that every header can be what no client would send. */
export function knock(port: number, path: string, { headers, method = 'GET', tls = false }: Knock = {}) {
  const usual = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
  return new Promise<Knocked>((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path, method, headers: { ...usual, ...headers } };
    const asked = tls ? secure({ ...options, ca: certificate, agent: false }) : plain(options);
    asked.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: {} });
    });
    asked.on('response', (answer) => {
      text(answer).then((body) => {
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Object(JSON.parse(body || '{}')),
        });
      }, reject);
    });
    asked.on('error', reject).end();
  });
}
