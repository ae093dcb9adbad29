import { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { isOffLimits, isPublic } from '../network/addresses.ts';
import { AddressRefused, lookupWhere, type Resolve } from '../network/lookup.ts';
import { addressesOfPublicName } from './publicNames.ts';
import { refusalOf } from './targets.ts';

export interface Sending {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly allowPrivate: boolean;
  readonly signal: AbortSignal;
  /** Instead of name servers, or of the machine where it may know of names that are not public. */
  readonly resolve?: Resolve;
}

/** What the receiver said, or why it could not be asked. */
export type Sent =
  | { readonly status: number; readonly retryAfter: string | undefined }
  | { readonly failed: 'TARGET_FORBIDDEN' | 'TIMEOUT' | 'UNREACHABLE' };

const TIMEOUT_MS = 15_000;

// Not imported: Node would read all that these modules export, and thereby load its own fetch, 12 MB and 25 ms.
const { request: requestPlain } = process.getBuiltinModule('node:http');
const { request: requestSecure } = process.getBuiltinModule('node:https');

/** Posts once. No redirect is followed: where it leads to was not agreed upon. */
export async function post(sending: Sending): Promise<Sent> {
  const { url, headers, body, allowPrivate, signal } = sending;
  const { resolve = allowPrivate ? lookup : resolvePublic } = sending;
  if (refusalOf(url, allowPrivate)) return { failed: 'TARGET_FORBIDDEN' };
  const target = new URL(url);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const request = target.protocol === 'https:' ? requestSecure : requestPlain;
  const { promise, resolve: settle } = Promise.withResolvers<Sent>();
  const outgoing = request(target, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    lookup: lookupWhere(allowPrivate ? (address) => !isOffLimits(address) : isPublic, resolve),
    signal: AbortSignal.any([signal, timeout]),
  });
  const answered = (response: IncomingMessage) => {
    // Nothing of what it says besides is of use here.
    response.destroy();
    settle({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
  };
  outgoing.on('response', answered);
  // Unheard, it would end the connection with no word of an error.
  outgoing.on('upgrade', (response, socket) => {
    socket.destroy();
    answered(response);
  });
  outgoing.on('error', (error) => {
    if (error instanceof AddressRefused) settle({ failed: 'TARGET_FORBIDDEN' });
    else settle({ failed: timeout.aborted ? 'TIMEOUT' : 'UNREACHABLE' });
  });
  outgoing.end(body);
  return promise;
}

const resolvePublic: Resolve = (host, _options, callback) => {
  addressesOfPublicName(host).then(
    (addresses) => callback(null, addresses),
    (error) => callback(error, []),
  );
};
