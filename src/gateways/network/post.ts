import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isOffLimits, isPublic } from './addresses.ts';
import { AddressRefused, lookupWhere, type Resolve } from './lookup.ts';
import { resolvePublic } from './publicNames.ts';
import { refusalOf } from './targets.ts';

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** Instead of name servers, or of the machine where it may know of names that are not public. */
  readonly resolve?: Resolve;
  /** Of what it answers, so much is read; nothing, where that is not given. */
  readonly mostBytes?: number;
}

/** What the receiver said, or why it could not be asked. */
export type Posted =
  | { readonly status: number; readonly retryAfter: string | undefined; readonly body: string }
  | { readonly failed: 'TARGET_FORBIDDEN' | 'TIMEOUT' | 'UNREACHABLE' };

const TIMEOUT_MS = 15_000;

// Not imported: Node would read all that these modules export, and thereby load its own fetch, 12 MB and 25 ms.
const { request: requestPlain } = process.getBuiltinModule('node:http');
const { request: requestSecure } = process.getBuiltinModule('node:https');

/** Posts once. No redirect is followed: where it leads to was not agreed upon. */
export async function post(sending: Sending): Promise<Posted> {
  const { url, headers, body, allowPrivate, signal } = sending;
  const { resolve = allowPrivate ? lookup : resolvePublic, mostBytes = 0 } = sending;
  if (refusalOf(url, allowPrivate)) return { failed: 'TARGET_FORBIDDEN' };
  const target = new URL(url);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const request = target.protocol === 'https:' ? requestSecure : requestPlain;
  const { promise, resolve: settle } = Promise.withResolvers<Posted>();
  const outgoing = request(target, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    lookup: lookupWhere(allowPrivate ? (address) => !isOffLimits(address) : isPublic, resolve),
    signal: AbortSignal.any([signal, timeout]),
  });
  const fail = (error: unknown) => {
    if (error instanceof AddressRefused) settle({ failed: 'TARGET_FORBIDDEN' });
    else settle({ failed: timeout.aborted ? 'TIMEOUT' : 'UNREACHABLE' });
  };
  const answered = (response: IncomingMessage, body: string) => {
    response.destroy();
    settle({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body });
  };
  outgoing.on('response', (response) => {
    readUpTo(mostBytes, response).then((body) => answered(response, body), fail);
  });
  // Unheard, it would end the connection with no word of an error.
  outgoing.on('upgrade', (response, socket) => {
    socket.destroy();
    answered(response, '');
  });
  outgoing.on('error', fail);
  outgoing.end(body);
  return promise;
}

/** What is beyond is not read: an answer need not end. */
async function readUpTo(most: number, response: IncomingMessage): Promise<string> {
  if (most === 0) return '';
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= most) break;
  }
  return Buffer.concat(chunks).subarray(0, most).toString('utf8');
}
