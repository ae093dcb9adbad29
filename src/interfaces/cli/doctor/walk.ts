import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Patient } from './check.ts';

const TIMEOUT_MS = 5_000;

interface Step {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

/** One request as a browser or a device would send it: with whatever `Host` and `Origin` it has, which `fetch` decides by itself. */
export function walk(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body }: Step = {},
): Promise<Answered> {
  const url = new URL(path, base);
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // The certificate is that of the address, whatever the `Host` says.
  const servername = isIP(host) === 0 ? host : '';
  const options = { method, headers: { ...type, ...headers }, agent: false, signal, servername };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      text(answer).then((said) => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: jsonOf(said) });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function jsonOf(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return undefined;
  }
}

export function keyOf({ apiKey }: Patient['service']): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

/** Why it is worth no walk; undefined where the service answers. */
export async function whyAway(url: string): Promise<string | undefined> {
  try {
    const { status } = await walk(url, '/health');
    return status === 200 ? undefined : `it answers ${status}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  }
}
